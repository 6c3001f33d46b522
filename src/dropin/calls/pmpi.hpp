// Included before everything else in each file of the drop-in: what it says to MPI must not come back to itself, nor to
// another tool that wraps MPI, so the library's own calls go by MPI's second names.
#pragma once

#include <mpi.h>

#define MPI_Abort PMPI_Abort
#define MPI_Comm_create PMPI_Comm_create
#define MPI_Comm_get_attr PMPI_Comm_get_attr
#define MPI_Comm_group PMPI_Comm_group
#define MPI_Comm_rank PMPI_Comm_rank
#define MPI_Comm_set_errhandler PMPI_Comm_set_errhandler
#define MPI_Comm_size PMPI_Comm_size
#define MPI_Comm_split_type PMPI_Comm_split_type
#define MPI_Comm_test_inter PMPI_Comm_test_inter
#define MPI_Error_string PMPI_Error_string
#define MPI_Finalized PMPI_Finalized
#define MPI_Get_library_version PMPI_Get_library_version
#define MPI_Get_processor_name PMPI_Get_processor_name
#define MPI_Group_free PMPI_Group_free
#define MPI_Iallgather PMPI_Iallgather
#define MPI_Iallreduce PMPI_Iallreduce
#define MPI_Ibarrier PMPI_Ibarrier
#define MPI_Ibcast PMPI_Ibcast
#define MPI_Iprobe PMPI_Iprobe
#define MPI_Irecv PMPI_Irecv
#define MPI_Isend PMPI_Isend
#define MPI_Op_commutative PMPI_Op_commutative
#define MPI_Pack PMPI_Pack
#define MPI_Recv_init PMPI_Recv_init
#define MPI_Reduce_local PMPI_Reduce_local
#define MPI_Request_free PMPI_Request_free
#define MPI_Request_get_status PMPI_Request_get_status
#define MPI_Send_init PMPI_Send_init
#define MPI_Sendrecv PMPI_Sendrecv
#define MPI_Startall PMPI_Startall
#define MPI_Test PMPI_Test
#define MPI_Type_free PMPI_Type_free
#define MPI_Type_get_contents PMPI_Type_get_contents
#define MPI_Type_get_envelope PMPI_Type_get_envelope
#define MPI_Type_get_extent PMPI_Type_get_extent
#define MPI_Type_get_true_extent PMPI_Type_get_true_extent
#define MPI_Type_size PMPI_Type_size
#define MPI_Type_size_x PMPI_Type_size_x
#define MPI_Unpack PMPI_Unpack
#define MPI_Waitall PMPI_Waitall
