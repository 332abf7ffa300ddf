"""The calls of NVIDIA's driver that a GPU is not used without.

A driver that lacks some is refused as a whole when it is opened: a program that can run elsewhere must find out before
it has chosen the GPU. Newer calls with an older one in their place are asked for where they are used.
"""

from typing import Final

REQUIRED: Final = (
    "cuInit",
    "cuGetErrorName",
    "cuDeviceGet",
    "cuDeviceGetCount",
    "cuDeviceGetAttribute",
    "cuDeviceTotalMem_v2",
    "cuDevicePrimaryCtxRetain",
    "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",
    "cuCtxGetLimit",
    "cuCtxSetLimit",
    "cuStreamCreate",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
    "cuStreamIsCapturing",
    "cuThreadExchangeStreamCaptureMode",
    "cuModuleLoadDataEx",
    "cuModuleGetFunction",
    "cuModuleUnload",
    "cuFuncSetAttribute",
    "cuLaunchKernel",
    "cuMemAlloc_v2",
    "cuMemAllocHost_v2",
    "cuMemFree_v2",
    "cuMemGetInfo_v2",
    "cuPointerGetAttribute",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD8Async",
    "cuGraphCreate",
    "cuGraphAddKernelNode",
    "cuGraphAddMemcpyNode",
    "cuGraphAddMemsetNode",
    "cuGraphAddDependencies",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuEventCreate",
    "cuEventRecord",
    "cuEventQuery",
    "cuEventElapsedTime",
    "cuEventDestroy_v2",
)
# Of newer drivers; what uses them asks first.
OPTIONAL: Final = ("cuLibraryLoadData", "cuLibraryGetModule", "cuLibraryUnload")
