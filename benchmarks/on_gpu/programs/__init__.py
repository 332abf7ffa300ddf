"""The programs that are measured on GPUs, one file for each kind; `KERNELS` is what is compiled, by name."""

from on_gpu.programs import bundles, clusters, flow, mixtures, network, operators, products, tables, waves
from on_gpu.programs.kernel import Kernel

KERNELS: dict[str, Kernel] = {
    **operators.KERNELS,
    **products.KERNELS,
    **clusters.KERNELS,
    **mixtures.KERNELS,
    **network.KERNELS,
    **flow.KERNELS,
    **tables.KERNELS,
    **bundles.KERNELS,
    **waves.KERNELS,
}
