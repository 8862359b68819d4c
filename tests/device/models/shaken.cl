//@ model shaken "two fields with a stage, noise and a free energy"
//@ field a noise=0.25 mean=0.125 outside=0.5
//@ field b noise=0.5 mean=-0.25 outside=-0.25
//@ noise eta "one factor of random fluxes"
//@ noise zeta "the other"
//@ dt 0.0005
STAGE(p) { return NOISE(eta) + AT(a) * AT(b); }
RATE(a) { return LAP(p) + R(0.25) * GRAD_Y(b); }
RATE(b) { return NOISE(zeta) - AT(p) + AVG(b) - GRAD2(a) + div_noise(eta, zeta, AT(a) * AT(a)); }
ENERGY() { return GRAD2(a) + AT(b) * AT(b); }
/* SPDX-License-Identifier: MIT */
