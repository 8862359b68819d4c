/* Examples of --help and of the man pages.  The tests parse each command with --print-config. */
#include "tools/cli/options.h"

/* clang-format off */
static const struct example examples[] = {
    { "", "meshwork doctor", "check drivers, kernels and the compiler" },
    { "", "meshwork run cahn-hilliard --size 1024x1024 --steps 5000 --png field.png",
      "a Cahn-Hilliard simulation on the best device, and a picture of the final state" },
    { "", "meshwork run cahn-hilliard -d native -p K=2 --every 100 --png 'frame-%06d.png'",
      "film frames, computed on all cores without OpenCL, with a wider interface" },
    { "", "meshwork sweep ising --over T=2:2.6:0.05 --plot sweep.svg", "the Ising model across its phase transition" },
    { "", "meshwork walk --steps 5000 --runs 20 --csv walks.csv", "anomalous diffusion on random carpets" },
    { "", "meshwork transform flip=1 crinkle=0:8 in.png -o out.png", "rearrange a picture" },
    { "", "meshwork label in.png -o labels.npy --png coloured.png --sizes", "label the components of a picture" },
    { "", "meshwork graph components friends.txt --sizes --largest core.txt",
      "label the components of a network and write the largest to a file" },
    { "", "meshwork help run", "show the help of a subcommand" },
    { "devices", "meshwork devices -v", "print all properties of each device" },
    { "devices", "meshwork devices -d gpu", "show the device selected by -d gpu" },
    { "doctor", "meshwork doctor -d native", "check native devices only" },
    { "models", "meshwork models cahn-hilliard ising", "list the parameters of two models" },
    { "models", "meshwork models ./growth.cl", "list the parameters of a model file" },
    { "run", "meshwork run cahn-hilliard --size 1024x1024 --steps 5000 --png field.png", "a picture of the final "
                                                                                         "state" },
    { "run", "meshwork run ising -p T=2.3 --size 256x256 --steps 1e4 --series ising.csv",
      "energy and magnetisation of spins over time" },
    { "run", "meshwork run cahn-hilliard --steps 1e6 --restart-or-start run.ck --checkpoint-every 1e4 --time-limit 55m",
      "resume a long run in each job with the same command line" },
    { "run", "meshwork run cahn-hilliard --steps 16384 --label-every 128 --series domains.csv",
      "number and size of the domains over time" },
    { "run", "meshwork run gray-scott --size 128x128x128 --every 100 --vtk 'volume-%06d.vti'", "volumes for ParaView" },
    { "run", "meshwork run cahn-hilliard --size 192x128 --steps 200 --seed 7 --verify",
      "check that the native device gives the same bits" },
    { "sweep", "meshwork sweep ising --over T=2:2.6:0.05 --size 16x16 --size 32x32 -o sweep.csv --plot sweep.svg",
      "two sizes, and the crossing of their Binder cumulants" },
    { "sweep", "meshwork sweep edwards-anderson --over T=0.5:2:0.1 --temper 10", "parallel tempering" },
    { "walk", "meshwork walk --carpet sc31 --start 0,0 --steps 10000", "a walk on the standard carpet, starting in its "
                                                                       "corner" },
    { "walk", "meshwork walk --steps 5000 --runs 20 --csv walks.csv --plot walks.svg", "the mean over random carpets" },
    { "transform", "meshwork transform shift=100,0 flip=1 in.png -o out.png", "shift a picture, then turn it upside "
                                                                              "down" },
    { "transform", "meshwork transform permute=1,0 in.npy -o transposed.npy", "transpose an array" },
    { "label", "meshwork label in.png -o labels.npy --png coloured.png --sizes",
      "labels, a coloured picture and a size histogram" },
    { "label", "meshwork label scan.raw --size 256x256x128 --type uint16 --threshold 1000 --min-size 50 -o parts.npy",
      "label a raw volume without small components" },
    { "graph", "meshwork graph generate ws -p n=1e6 -p k=10 -p p=0.1 -o ws.mwg", "make a small-world network" },
    { "graph", "meshwork graph info ws.mwg", "measure its basic properties" },
    { "graph generate", "meshwork graph generate ws -p n=1e6 -p k=10 -p p=0.1 -o ws.mwg", "make a small-world "
                                                                                          "network" },
    { "graph generate", "meshwork graph generate list", "list the generators and their parameters" },
    { "graph info", "meshwork graph info roads.mtx.gz --degrees", "print the degree distribution of a network" },
    { "graph info", "meshwork graph info --generate ba -p n=1e5 -p m=5 --budget 1m", "measure a generated network "
                                                                                     "without a file" },
    { "graph convert", "meshwork graph convert roads.mtx.gz roads.mwg", "convert to the binary format, which loads "
                                                                        "without parsing" },
    { "graph components", "meshwork graph components friends.txt --sizes --largest core.txt",
      "print component sizes and write the largest component to a file" },
    { "graph paths", "meshwork graph paths friends.txt", "mean distance, diameter and distance histogram" },
    { "graph paths", "meshwork graph paths friends.txt --from Ann --to Bob", "find a shortest path" },
    { "graph clustering", "meshwork graph clustering friends.txt", "count triangles and compute the clustering "
                                                                   "coefficient" },
    { "graph pagerank", "meshwork graph pagerank web.txt --directed --top 20", "list the twenty vertices of highest "
                                                                               "rank" },
    { "graph cores", "meshwork graph cores friends.txt --top 10", "list the vertices of the innermost core" },
    { "graph betweenness", "meshwork graph betweenness friends.txt --top 10 --sample 1000",
      "estimate betweenness from a thousand vertices" },
    { "graph bridges", "meshwork graph bridges friends.txt", "list the edges that connect parts of the network" },
    { "rng", "meshwork rng --seed 7 --below 6 --samples 8 --format text", "eight throws of a die, numbered from 0 "
                                                                          "to 5" },
    { "rng", "meshwork rng --samples 1e9 --repeat 5", "measure the generation rate" },
    { "compare", "meshwork compare --devices native,gpu --rounds 5 run cahn-hilliard --size 1024x1024",
      "compare a run on all cores and on the GPU" },
    { "compare", "meshwork compare --variants all label in.png", "compare all labelling variants" },
    { "advise", "meshwork advise run cahn-hilliard --size 4096x4096", "measure the fastest device up to that size" },
    { "advise", "meshwork advise list", "list the stored measurements" },
    { "bench", "meshwork bench all -o bench.json --budget 30m", "run all suites within half an hour" },
    { "repeat", "meshwork repeat result.json -d native:serial", "repeat the output of run --json on another device" },
    { "report", "meshwork report bench.json", "write the page bench.html" },
    { "speed", "meshwork speed -d gpu --only copy", "measure the memory bandwidth of a GPU" },
    { "tune", "meshwork tune cahn-hilliard --size 1024x1024 --budget 1m", "tune one model at one size" },
    { "cache", "meshwork cache warm -d gpu", "build all kernels in advance" },
};
/* clang-format on */

static const struct example *examples_find(const char *name, size_t from)
{
    for (size_t i = from; i < MW_COUNT(examples); i++)
        if (!strcmp(examples[i].of, name))
            return &examples[i];
    return NULL;
}

const struct example *example_first(const struct subcommand *sub) { return examples_find(sub->name, 0); }

const struct example *example_next(const struct example *example)
{
    return examples_find(example->of, (size_t)(example - examples) + 1);
}
/* SPDX-License-Identifier: MIT */
