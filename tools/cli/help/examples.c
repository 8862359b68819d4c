/* Examples of --help and of the manual's pages: lines of commands, which the tests read with --print-config. */
#include "tools/cli/options.h"

static const struct example examples[] = {
    { "", "meshwork doctor", "whether drivers, kernels and the compiler work" },
    { "", "meshwork run cahn-hilliard --size 1024x1024 --steps 5000 --png field.png",
      "a Cahn-Hilliard simulation on the best device, and a picture of its end" },
    { "", "meshwork run cahn-hilliard -d native -p K=2 --every 100 --png 'frame-%06d.png'",
      "the frames of a film, on all cores without OpenCL, with a wider interface" },
    { "", "meshwork sweep ising --over T=2:2.6:0.05 --plot sweep.svg", "the Ising model across its transition" },
    { "", "meshwork walk --steps 5000 --runs 20 --csv walks.csv", "anomalous diffusion on random carpets" },
    { "", "meshwork transform flip=1 crinkle=0:8 in.png -o out.png", "a picture rearranged" },
    { "", "meshwork label in.png -o labels.npy --png coloured.png --sizes", "the components of a picture" },
    { "", "meshwork graph components friends.txt --sizes --largest core.txt",
      "the components of a network, and the largest as a file" },
    { "", "meshwork help run", "the help of a subcommand" },
    { "devices", "meshwork devices -v", "all that is known of each device" },
    { "devices", "meshwork devices -d gpu", "the device that -d gpu would choose" },
    { "doctor", "meshwork doctor -d native", "native devices alone" },
    { "models", "meshwork models cahn-hilliard ising", "parameters of two models" },
    { "models", "meshwork models ./growth.cl", "those of a model file" },
    { "run", "meshwork run cahn-hilliard --size 1024x1024 --steps 5000 --png field.png", "a picture of the end" },
    { "run", "meshwork run ising -p T=2.3 --size 256x256 --steps 1e4 --series ising.csv",
      "energy and magnetisation of spins over time" },
    { "run", "meshwork run cahn-hilliard --steps 1e6 --restart-or-start run.ck --checkpoint-every 1e4 --time-limit 55m",
      "one line for all jobs of a long run: starts, or goes on where it was" },
    { "run", "meshwork run cahn-hilliard --steps 16384 --label-every 128 --series domains.csv",
      "how many domains there are, and how large, as they grow" },
    { "run", "meshwork run gray-scott --size 128x128x128 --every 100 --vtk 'volume-%06d.vti'", "volumes for ParaView" },
    { "run", "meshwork run cahn-hilliard --size 192x128 --steps 200 --seed 7 --verify",
      "the same bits on this device and natively" },
    { "sweep", "meshwork sweep ising --over T=2:2.6:0.05 --size 16x16 --size 32x32 -o sweep.csv --plot sweep.svg",
      "two sizes, and where their Binder cumulants cross" },
    { "sweep", "meshwork sweep edwards-anderson --over T=0.5:2:0.1 --temper 10", "parallel tempering" },
    { "walk", "meshwork walk --carpet sc31 --start 0,0 --steps 10000", "the standard carpet, from its corner" },
    { "walk", "meshwork walk --steps 5000 --runs 20 --csv walks.csv --plot walks.svg", "a mean over random carpets" },
    { "transform", "meshwork transform shift=100,0 flip=1 in.png -o out.png", "a picture shifted, then upside down" },
    { "transform", "meshwork transform permute=1,0 in.npy -o transposed.npy", "an array transposed" },
    { "label", "meshwork label in.png -o labels.npy --png coloured.png --sizes",
      "labels, a coloured picture and a histogram of sizes" },
    { "label", "meshwork label scan.raw --size 256x256x128 --type uint16 --threshold 1000 --min-size 50 -o parts.npy",
      "a raw volume, without small parts" },
    { "graph", "meshwork graph generate ws -p n=1e6 -p k=10 -p p=0.1 -o ws.mwg", "a small world" },
    { "graph", "meshwork graph info ws.mwg", "what it is like" },
    { "graph generate", "meshwork graph generate ws -p n=1e6 -p k=10 -p p=0.1 -o ws.mwg", "a small world" },
    { "graph generate", "meshwork graph generate list", "the kinds and their parameters" },
    { "graph info", "meshwork graph info roads.mtx.gz --degrees", "degrees of a network from a file" },
    { "graph info", "meshwork graph info --generate ba -p n=1e5 -p m=5 --budget 1m", "a network without a file" },
    { "graph convert", "meshwork graph convert roads.mtx.gz roads.mwg", "the fast format, read without parsing" },
    { "graph components", "meshwork graph components friends.txt --sizes --largest core.txt",
      "sizes, and the largest component as a file" },
    { "graph paths", "meshwork graph paths friends.txt", "mean distance, diameter and histogram" },
    { "graph paths", "meshwork graph paths friends.txt --from Ann --to Bob", "a shortest path" },
    { "graph clustering", "meshwork graph clustering friends.txt", "triangles and the clustering coefficient" },
    { "graph pagerank", "meshwork graph pagerank web.txt --directed --top 20", "the twenty first" },
    { "graph cores", "meshwork graph cores friends.txt --top 10", "the vertices of the innermost core" },
    { "graph betweenness", "meshwork graph betweenness friends.txt --top 10 --sample 1000",
      "an estimate from a thousand vertices" },
    { "graph bridges", "meshwork graph bridges friends.txt", "what would cut the network in two" },
    { "rng", "meshwork rng --seed 7 --below 6 --samples 8 --format text", "eight throws of a die, from 0 to 5" },
    { "rng", "meshwork rng --samples 1e9 --repeat 5", "the rate" },
    { "compare", "meshwork compare --devices native,gpu --rounds 5 run cahn-hilliard --size 1024x1024",
      "a run on all cores and on the GPU" },
    { "compare", "meshwork compare --variants all label in.png", "all variants of labelling" },
    { "advise", "meshwork advise run cahn-hilliard --size 4096x4096", "the fastest device up to that size" },
    { "advise", "meshwork advise list", "what is remembered" },
    { "bench", "meshwork bench all -o bench.json --budget 30m", "all suites within half an hour" },
    { "repeat", "meshwork repeat result.json -d native:serial", "what run --json printed, on another device" },
    { "report", "meshwork report bench.json", "the page bench.html" },
    { "speed", "meshwork speed -d gpu --only copy", "the bandwidth of a GPU's memory" },
    { "tune", "meshwork tune cahn-hilliard --size 1024x1024 --budget 1m", "one model at one size" },
    { "cache", "meshwork cache warm -d gpu", "build all kernels before they are needed" },
};

static const struct example *find(const char *name, size_t from)
{
    for (size_t i = from; i < MW_COUNT(examples); i++)
        if (!strcmp(examples[i].of, name))
            return &examples[i];
    return NULL;
}

const struct example *example_first(const struct subcommand *sub)
{
    return find(sub->name, 0);
}

const struct example *example_next(const struct example *example)
{
    return find(example->of, (size_t)(example - examples) + 1);
}
/* SPDX-License-Identifier: MIT */
