// What the web build and the program are both asked: a few hundred lines of words, some with files beside them.

export const files = {
  "cluster.net": `network cluster
host n0 n1 n2 n3
switch s0 s1
link n0 s0 25GB/s 1us
link n1 s0 25GB/s x2
link n2 s1 200Gbit/s kind=copper
link n3 s1 25GB/s
link s0 s1 50GB/s x2
arc  n2 n3 50GB/s
nic  n0 12.5GB/s
fail n1 s0 #2
`,
  "four.toml": `host = ["a", "b", "c", "d"]
link = [{ a = "a", b = "b", bandwidth = "1GB/s" }, { a = "b", b = "c", bandwidth = "2GB/s" },
        { a = "c", b = "d", bandwidth = "1GB/s" }, { a = "d", b = "a", bandwidth = "0.5GB/s", latency = "1.5us" }]
`,
  "demands.txt": `0 1KiB 0 64KiB
0 0 1KiB 0
512, 0, 0, 1KiB
1KiB 0 0 0
`,
  "mine.toml": `description = "three constants of one's own"
alpha = "1.75 us"
beta = "2.5e-10"
per_hop = "120 ns"
`,
  "right.json": `{"quadrille_schedule": 1,
 "spec": {"collective": "bcast", "ranks": 3, "bytes": 64, "root": 0},
 "cut": {"bytes": 64, "parts": 1, "packets": 1},
 "blocks": {"in": 0, "out": 1, "tmp": 0}, "rounds": 2,
 "steps": [{"rank": 0, "round": 0, "do": [{"send": 1, "out": [0]}]},
           {"rank": 1, "round": 0, "do": [{"recv": 0, "out": [0]}]},
           {"rank": 1, "round": 1, "do": [{"send": 2, "out": [0]}]},
           {"rank": 2, "round": 1, "do": [{"recv": 1, "out": [0]}]}]}
`,
  "times.csv": "bytes,seconds,label\n64,0.001,a\n4096,0.0125,b\n",
};
// Rank 2 sends what it does not have.
files["wrong.json"] = files["right.json"].replace('"rank": 1, "round": 1, "do": [{"send": 2', '"rank": 2, "round": 1, "do": [{"send": 1').replace('"rank": 2, "round": 1, "do": [{"recv": 1', '"rank": 1, "round": 1, "do": [{"recv": 2');

const collectives = ["sendrecv", "bcast", "multibcast", "allgather", "scatter", "gather", "alltoall", "transpose", "reduce", "allreduce", "reduce_scatter", "scan", "exscan", "barrier"];
const networks = ["hypercube:4", "ring:9", "torus:4x4", "mesh:3x5", "crossbar:8", "fattree:4", "omega:3", "bus:6", "memory:5", "star:6", "dragonfly:2,1,1", "petersen", "hamming:3x4/2,1", "dgx1-v100", "twisted-torus:4x6+2", "kautz:2,3", "star:4*2", "torus:4x4!0-1,0-4", "graph:cluster.net", "graph:four.toml"];
const machines = [[], ["--machine", "ipsc860"], ["--machine", "unit"], ["--machine", "paragon"], ["--machine", "cluster", "--set", "alpha=2.5us", "--set", "ports=all"], ["--machine", "mine.toml"], ["--machine", "delta", "--set", "beta=0.1 us/B"]];
const sizes = ["0", "1", "100", "1KiB", "64KiB", "3MiB", "1.5kB"];

function sized(collective, i) {
  if (collective === "barrier") return [];
  const words = ["--bytes", sizes[i % sizes.length]];
  if (collective === "multibcast") words.push("--sources", "0,2,3");
  return words;
}

/// Every collective on every network, each with one of the machines and sizes, and by one of the commands.
function* grid() {
  let i = 0;
  for (const collective of collectives)
    for (const network of networks) {
      const asked = [collective, network, ...sized(collective, i), ...machines[i % machines.length], "--json"];
      if (i % 3 === 0) yield ["verify", ...asked];
      else yield ["plan", ...asked];
      if (i % 16 === 5) yield ["report", ...asked];
      ++i;
    }
}

const named = `
--help
--version
help plan
plan alltoall hypercube:6 --machine ipsc860 --bytes 32
plan alltoall hypercube:6 --machine ipsc860 --bytes 32 --all --picture
plan alltoall hypercube:8 --machine ipsc860 --bytes 100 --json
plan alltoall hypercube:10 --machine ipsc860 --bytes 100 --json
plan allreduce fattree:4*2 --bytes 1MiB --machine cluster --json
plan allgather torus:4x4 --bytes 4KiB --effort simulate --json
plan alltoall torus:3x3 --machine paragon --bytes 4KiB --effort simulate --json
plan bcast mesh:8x8 --machine paragon-h95 --bytes 64KiB --effort simulate --order eager
plan allreduce hypercube:3 --bytes 64KiB --wisdom some.wisdom --json
plan allgather ring:1048576 --machine unit --json
plan reduce_scatter ring:4 --counts 8,0,1KiB,5 --json
plan reduce torus:4x4 --bytes 4KiB --element 8 --operands ordered --bits canonical --json
plan transpose hypercube:4 --bytes 1KiB --machine ncube2 --json
plan multibcast mesh:10x10 --machine paragon-h95 --sources R(30) --bytes 2KiB --json
plan multibcast mesh:10x10 --machine paragon-h95 --sources B(3x4@1,2) --bytes 2KiB --json
verify allgather hypercube:5 --set ports=all --algorithm allgather_tea2
verify alltoall hypercube:4 --set switching=circuit
verify alltoall hypercube:4 --machine ipsc860 --json
verify bcast path:3 --bytes 64 --algorithm file:right.json
verify bcast path:3 --bytes 64 --algorithm file:right.json --json
verify bcast path:3 --bytes 64 --algorithm file:wrong.json
verify bcast path:3 --bytes 64 --algorithm file:wrong.json --json
price bcast path:3 --bytes 64 --algorithm file:right.json --json
simulate bcast path:3 --bytes 64 --algorithm file:right.json --json
price alltoall hypercube:6 --machine ipsc860 --bytes 32 --algorithm alltoall_mce:phases=3,3
price alltoall hypercube:6 --machine ipsc860 --bytes 32 --algorithm alltoall_mce --json
price allgather hypercube:3 --algorithm allgather_adea --rounds
price allgather hypercube:3 --algorithm allgather_adea --rounds --json
price alltoall hypercube:4 --algorithm alltoall_standard --contention --on mesh:4x4 --json
price allreduce star:64 --bytes 64MiB --machine cluster --algorithm allreduce_ring --json
simulate alltoall torus:4x4 --machine ipsc860 --bytes 1KiB --heat
simulate alltoall torus:4x4 --machine ipsc860 --bytes 1KiB --json
simulate alltoall hypercube:5 --machine ipsc860 --algorithm alltoall_direct --json
simulate allgather hypercube:6 --network circuit --order lockstep --trace out.json --json
simulate allgather hypercube:6 --network circuit --order lockstep --trace out.csv
simulate bcast mesh:8x8 --machine paragon-h95 --slow 0-1=3 --jitter 5% --skew 2us --runs 100 --json
simulate bcast mesh:4x4 --network wormhole --json
simulate alltoall crossbar:8 --network fluid --json
simulate alltoall torus:4x4 --network store-and-forward --json
simulate allreduce fattree:4 --bytes 1MiB --machine cluster --network fluid --json
simulate alltoall hypercube:7 --machine ipsc860 --quick --json
simulate alltoall torus:4x4 --machine ipsc860 --bytes 1KiB --order eager --timeline --json
simulate alltoall ring:4 --slow 0-1=2 --url
report alltoall dragonfly:2,2,1 --json
report allgather torus:4x4!0-1*2 --json
sweep alltoall hypercube --ranks 8..64 --bytes 1..4KiB*4 -o out.csv
sweep alltoall hypercube --ranks 8..32 --bytes 1..4KiB*4 --machine ipsc860 --json
sweep bcast torus:4x4 ring:16 --bytes 1,100,10kB --effort simulate --picture
sweep allreduce torus:4x4 --bytes 1KiB,1MiB --threads 1 -o rows.json --json
plot alltoall hypercube:6 --machine ipsc860 -o sizes.svg
plot alltoall hypercube:4 --algorithm alltoall_mce:phases=2,2 --what rounds -o rounds.svg
report alltoall hypercube:6 --machine ipsc860 --bytes 32 -o exchange.html
report allgather torus:8x8 --bytes 4KiB --json
report alltoall hypercube:4 --measured times.csv --json
report bcast path:3 --bytes 64 --algorithm file:right.json --json
report bcast path:3 --bytes 64 --algorithm file:wrong.json --json
report allgather torus:16x16 --bytes 1KiB --set ports=all --json
report allreduce graph:cluster.net --bytes 1MiB --json
reproduce nicol-bokhari
reproduce nicol-bokhari --json
reproduce saad-schultz -k 16 -N 4096 --tau 20 --json
reproduce nonesuch
errata
errata E-05
errata torus --json
errata --json
export smpi alltoall torus:4x4 --bytes 1KiB -o alltoall.ti
export json allgather torus:4x4 --bytes 1KiB -o allgather.json
export json allreduce ring:4 --bytes 64KiB -o -
export msccl allreduce ring:4 --bytes 64KiB -o allreduce.xml
export goal bcast ring:8 --bytes 64KiB --algorithm bcast_chain:packets=8 -o bcast.goal
rules openmpi-4.1 torus:4x4 -o torus.rules
rules mpich-4.0 torus:4x4 -o torus.json
algorithm
algorithm --json
algorithm alltoall_mce
algorithm alltoall_mce --json
algorithm --on hypercube:4 --machine ipsc860 --json
algorithm --on torus:4x4 --bytes 4KiB
topology
topology --json
topology fattree:4
topology fattree:4 --json
topology torus:4x4!0-1@0,1,4,5 --route 0 1
topology graph:cluster.net --json
topology graph:cluster.net#0123456789abcdef
topology dragonfly:4,2,2 --json
topology hypercube:4 --to dot --write cube.dot
machine
machine --json
machine ipsc860
machine ipsc860 --json
machine mine.toml --json
machine nonesuch
manual --json
wisdom show none.wisdom
plan
plan alltoall
plan alltoal hypercube:4
plan alltoall hypercub:4
plan alltoallv ring:4 --demands demands.txt --json
plan alltoallv ring:5 --demands demands.txt --json
plan alltoallv torus:4x4 --demands halo(4x4) --bytes 64KiB --machine cluster --json
plan alltoallv torus:4x4 --demands random(2,7) --json
plan alltoallv hypercube:4 --demands 0-1:64KiB,1-0 --machine ipsc860 --json
report alltoallv mesh:4x4 --demands hot(5) --json
plan allreduce fattree:4*4 --bytes 64KiB --machine cluster --quick --json
plan allreduce fattree:8 --bytes 1MiB --machine cluster --quick --json
plan reduce_scatter mesh:8x8 --bytes 1MiB --machine paragon --quick --json
plan allgather torus:4x4!0-1 --machine unit --quick --json
plan bcast ring:8 --quick --effort simulate
plan bcast ring:8 --quick
plan alltoall hypercube:4 --bytes -1
plan alltoall hypercube:4 --bytes 1e
plan alltoall hypercube:4 --bytes 1e3 --json
plan alltoall hypercube:4 --bytes 1e400
plan alltoall hypercube:4 --bytes +3
plan alltoall hypercube:4 --bytes 0x10
plan alltoall hypercube:4 --bytes inf
plan alltoall hypercube:4 --set alpha=1e-400s
plan alltoall hypercube:4 --set alpha=nan
plan alltoall hypercube:4 --set alpha=0.394 --json
plan alltoall hypercube:4 --set alpha=4.9e-324s --json
plan alltoall hypercube:4 --set nonesuch=1
plan alltoall hypercube:4 --machine nonesuch
plan alltoall hypercube:4 --machine no.toml
plan alltoall graph:no.net
plan alltoall hypercube:4 --root 3
plan bcast hypercube:4 --root 16
verify alltoall hypercube:14 --algorithm alltoall_direct --budget 1000 --json
simulate alltoall hypercube:4 --algorithm nonesuch
simulate alltoall hypercube:4 --jitter 2e-2 --seed 7 --json
simulate alltoall hypercube:4 --algorithm alltoall_mce --tolerance x
nonesuch
`;

/// Lists of words. A blank ends a word; in options of machines that has none.
export const questions = [...grid(), ...named.trim().split("\n").map((line) => line.split(" "))];
