/* A model compiled for native devices at run time: see native.clh. */
#include "native.clh"
#include "field/view.clh"
#include "model"
#include "field/native.clh"
