/* meshwork: data-parallel simulations on meshes and analyses of networks, on any device. Includes all public
 * headers. */
#ifndef MESHWORK_H
#define MESHWORK_H

#include <meshwork/status.h>
#include <meshwork/file.h>
#include <meshwork/device.h>
#include <meshwork/image.h>
#include <meshwork/program.h>
#include <meshwork/tune.h>
#include <meshwork/interop.h>
#include <meshwork/io.h>
#include <meshwork/run.h>
#include <meshwork/frames.h>
#include <meshwork/model.h>
#include <meshwork/field.h>
#include <meshwork/lattice.h>
#include <meshwork/transform.h>
#include <meshwork/prim.h>
#include <meshwork/rng.h>
#include <meshwork/speed.h>
#include <meshwork/components.h>
#include <meshwork/label.h>
#include <meshwork/spin.h>
#include <meshwork/carpet.h>
#include <meshwork/walk.h>
#include <meshwork/walkers.h>
#include <meshwork/graph.h>
#include <meshwork/generate.h>
#include <meshwork/graph_file.h>
#include <meshwork/graph_measures.h>
#include <meshwork/graph_paths.h>
#include <meshwork/graph_components.h>

#endif
/* SPDX-License-Identifier: MIT */
