# nix-build packaging/nix, in a clone.
# SPDX-License-Identifier: MIT
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "meshwork";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.autoreconfHook pkgs.pkg-config ];
  buildInputs = [
    pkgs.expat
    pkgs.hdf5
    pkgs.hwloc
    pkgs.jansson
    pkgs.libpng
    pkgs.libtiff
    pkgs.ocl-icd
    pkgs.opencl-headers
    pkgs.tbb
    pkgs.zlib
  ];
  checkInputs = [ pkgs.cmocka ];
  configureFlags = map (part: "--with-${part}") [
    "opencl" "libpng" "tiff" "hdf5" "zlib" "expat" "hwloc" "jansson" "tbb"
  ];

  enableParallelBuilding = true;
  doCheck = true;
  checkTarget = "check-unit";

  meta = {
    description = "Simulations on meshes and analyses of networks, on any device";
    homepage = "https://meshwork.example.org/";
    license = pkgs.lib.licenses.mit;
    mainProgram = "meshwork";
    platforms = pkgs.lib.platforms.linux;
  };
}
