// The selection of MPICH 4.0 with one algorithm for each of its 44 collectives: the frame that choices are put into.
#pragma once

#include <string_view>

namespace quadrille::incumbents {

constexpr std::string_view mpich_frame_text = R"({
"collective=bcast": {"comm_type=intra": {"algorithm=MPIR_Bcast_intra_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Bcast_inter_remote_send_local_bcast": {}}},
"collective=allreduce": {"comm_type=intra": {"algorithm=MPIR_Allreduce_intra_recursive_doubling": {}},
  "comm_type=inter": {"algorithm=MPIR_Allreduce_inter_reduce_exchange_bcast": {}}},
"collective=allgather": {"comm_type=intra": {"algorithm=MPIR_Allgather_intra_ring": {}},"comm_type=inter": {
  "algorithm=MPIR_Allgather_inter_local_gather_remote_bcast": {}}},
"collective=allgatherv": {"comm_type=intra": {"algorithm=MPIR_Allgatherv_intra_ring": {}},"comm_type=inter": {
  "algorithm=MPIR_Allgatherv_inter_remote_gather_local_bcast": {}}},
"collective=reduce": {"comm_type=intra": {"algorithm=MPIR_Reduce_intra_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Reduce_inter_local_reduce_remote_send": {}}},
"collective=reduce_scatter": {"comm_type=intra": {"algorithm=MPIR_Reduce_scatter_intra_recursive_doubling": {}},
  "comm_type=inter": {"algorithm=MPIR_Reduce_scatter_inter_remote_reduce_local_scatter": {}}},
"collective=reduce_scatter_block": {"comm_type=intra": {
  "algorithm=MPIR_Reduce_scatter_block_intra_recursive_doubling": {}},"comm_type=inter": {
  "algorithm=MPIR_Reduce_scatter_block_inter_remote_reduce_local_scatter": {}}},
"collective=gather": {"comm_type=intra": {"algorithm=MPIR_Gather_intra_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Gather_inter_linear": {}}},
"collective=scatter": {"comm_type=intra": {"algorithm=MPIR_Scatter_intra_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Scatter_inter_linear": {}}},
"collective=gatherv": {"algorithm=MPIR_Gatherv_allcomm_linear": {}},
"collective=scatterv": {"algorithm=MPIR_Scatterv_allcomm_linear": {}},
"collective=scan": {"algorithm=MPIR_Scan_intra_recursive_doubling": {}},
"collective=exscan": {"algorithm=MPIR_Exscan_intra_recursive_doubling": {}},
"collective=barrier": {"comm_type=intra": {"algorithm=MPIR_Barrier_intra_dissemination": {}},"comm_type=inter": {
  "algorithm=MPIR_Barrier_inter_bcast": {}}},
"collective=alltoall": {"comm_type=intra": {"is_sendbuf_inplace=yes": {
  "algorithm=MPIR_Alltoall_intra_pairwise_sendrecv_replace": {}},"is_sendbuf_inplace=no": {"avg_msg_size<=256": {
  "algorithm=MPIR_Alltoall_intra_brucks": {}},"avg_msg_size=any": {"algorithm=MPIR_Alltoall_intra_scattered": {}}}},
  "comm_type=inter": {"algorithm=MPIR_Alltoall_inter_pairwise_exchange": {}}},
"collective=alltoallv": {"comm_type=intra": {"is_sendbuf_inplace=yes": {
  "algorithm=MPIR_Alltoallv_intra_pairwise_sendrecv_replace": {}},"is_sendbuf_inplace=no": {
  "algorithm=MPIR_Alltoallv_intra_scattered": {}}},"comm_type=inter": {
  "algorithm=MPIR_Alltoallv_inter_pairwise_exchange": {}}},
"collective=alltoallw": {"comm_type=intra": {"is_sendbuf_inplace=yes": {
  "algorithm=MPIR_Alltoallw_intra_pairwise_sendrecv_replace": {}},"is_sendbuf_inplace=no": {
  "algorithm=MPIR_Alltoallw_intra_scattered": {}}},"comm_type=inter": {
  "algorithm=MPIR_Alltoallw_inter_pairwise_exchange": {}}},
"collective=neighbor_allgather": {"algorithm=MPIR_Neighbor_allgather_allcomm_nb": {}},
"collective=ineighbor_allgather": {"algorithm=MPIR_Ineighbor_allgather_allcomm_sched_linear": {}},
"collective=neighbor_allgatherv": {"algorithm=MPIR_Neighbor_allgatherv_allcomm_nb": {}},
"collective=ineighbor_allgatherv": {"algorithm=MPIR_Ineighbor_allgatherv_allcomm_sched_linear": {}},
"collective=neighbor_alltoall": {"algorithm=MPIR_Neighbor_alltoall_allcomm_nb": {}},
"collective=ineighbor_alltoall": {"algorithm=MPIR_Ineighbor_alltoall_allcomm_sched_linear": {}},
"collective=neighbor_alltoallv": {"algorithm=MPIR_Neighbor_alltoallv_allcomm_nb": {}},
"collective=ineighbor_alltoallv": {"algorithm=MPIR_Ineighbor_alltoallv_allcomm_sched_linear": {}},
"collective=neighbor_alltoallw": {"algorithm=MPIR_Neighbor_alltoallw_allcomm_nb": {}},
"collective=ineighbor_alltoallw": {"algorithm=MPIR_Ineighbor_alltoallw_allcomm_sched_linear": {}},
"collective=ibarrier": {"comm_type=intra": {"algorithm=MPIR_Ibarrier_intra_sched_recursive_doubling": {}},
  "comm_type=inter": {"algorithm=MPIR_Ibarrier_inter_sched_bcast": {}}},
"collective=ibcast": {"comm_type=intra": {"algorithm=MPIR_Ibcast_intra_sched_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Ibcast_inter_sched_flat": {}}},
"collective=iallreduce": {"comm_type=intra": {"algorithm=MPIR_Iallreduce_intra_sched_recursive_doubling": {}},
  "comm_type=inter": {"algorithm=MPIR_Iallreduce_inter_sched_remote_reduce_local_bcast": {}}},
"collective=iallgather": {"comm_type=intra": {"algorithm=MPIR_Iallgather_intra_sched_ring": {}},"comm_type=inter": {
  "algorithm=MPIR_Iallgather_inter_sched_local_gather_remote_bcast": {}}},
"collective=iallgatherv": {"comm_type=intra": {"algorithm=MPIR_Iallgatherv_intra_sched_ring": {}},
  "comm_type=inter": {"algorithm=MPIR_Iallgatherv_inter_sched_remote_gather_local_bcast": {}}},
"collective=ireduce": {"comm_type=intra": {"algorithm=MPIR_Ireduce_intra_sched_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Ireduce_inter_sched_local_reduce_remote_send": {}}},
"collective=ireduce_scatter": {"comm_type=intra": {
  "algorithm=MPIR_Ireduce_scatter_intra_sched_recursive_doubling": {}},"comm_type=inter": {
  "algorithm=MPIR_Ireduce_scatter_inter_sched_remote_reduce_local_scatterv": {}}},
"collective=ireduce_scatter_block": {"comm_type=intra": {
  "algorithm=MPIR_Ireduce_scatter_block_intra_sched_recursive_doubling": {}},"comm_type=inter": {
  "algorithm=MPIR_Ireduce_scatter_block_inter_sched_remote_reduce_local_scatterv": {}}},
"collective=igather": {"comm_type=intra": {"algorithm=MPIR_Igather_intra_sched_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Igather_inter_sched_long": {}}},
"collective=iscatter": {"comm_type=intra": {"algorithm=MPIR_Iscatter_intra_sched_binomial": {}},"comm_type=inter": {
  "algorithm=MPIR_Iscatter_inter_sched_linear": {}}},
"collective=igatherv": {"algorithm=MPIR_Igatherv_allcomm_sched_linear": {}},
"collective=iscatterv": {"algorithm=MPIR_Iscatterv_allcomm_sched_linear": {}},
"collective=iscan": {"algorithm=MPIR_Iscan_intra_sched_recursive_doubling": {}},
"collective=iexscan": {"algorithm=MPIR_Iexscan_intra_sched_recursive_doubling": {}},
"collective=ialltoall": {"comm_type=intra": {"is_sendbuf_inplace=yes": {
  "algorithm=MPIR_Ialltoall_intra_sched_inplace": {}},"is_sendbuf_inplace=no": {
  "algorithm=MPIR_Ialltoall_intra_sched_permuted_sendrecv": {}}},"comm_type=inter": {
  "algorithm=MPIR_Ialltoall_inter_sched_pairwise_exchange": {}}},
"collective=ialltoallv": {"comm_type=intra": {"is_sendbuf_inplace=yes": {
  "algorithm=MPIR_Ialltoallv_intra_sched_inplace": {}},"is_sendbuf_inplace=no": {
  "algorithm=MPIR_Ialltoallv_intra_sched_blocked": {}}},"comm_type=inter": {
  "algorithm=MPIR_Ialltoallv_inter_sched_pairwise_exchange": {}}},
"collective=ialltoallw": {"comm_type=intra": {"is_sendbuf_inplace=yes": {
  "algorithm=MPIR_Ialltoallw_intra_sched_inplace": {}},"is_sendbuf_inplace=no": {
  "algorithm=MPIR_Ialltoallw_intra_sched_blocked": {}}},"comm_type=inter": {
  "algorithm=MPIR_Ialltoallw_inter_sched_pairwise_exchange": {}}}
})";

}  // namespace quadrille::incumbents
