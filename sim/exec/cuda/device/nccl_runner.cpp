#include "sim/base/error.h"
#include "sim/exec/cuda/device/nccl_library.h"
#include "sim/exec/cuda/device/place_memory.h"
#include "sim/exec/cuda/device/timed.h"
#include "sim/exec/cuda/nccl_call.h"

namespace syncsim {
namespace {

using cuda::NcclComm;

// Of all devices, destroyed together.
class Communicators {
 public:
  Communicators(const cuda::NcclLibrary& nccl, const std::vector<int>& devices)
      : nccl_(nccl), handles_(devices.size()) {
    nccl.check(nccl.init_all(handles_.data(), static_cast<int>(devices.size()), devices.data()),
               "making NCCL's communicators");
  }
  ~Communicators() {
    for (const NcclComm handle : handles_) static_cast<void>(nccl_.destroy(handle));
  }
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;
  NcclComm of(std::size_t rank) const { return handles_[rank]; }

 private:
  const cuda::NcclLibrary& nccl_;
  std::vector<NcclComm> handles_;
};

// Each rank's call is on a stream of its own device, behind an event of the first one's stream,
// which waits for all in the end: so what is timed is from when all may begin until all are done.
class NcclRunner : public PlaceRunner {
 public:
  explicit NcclRunner(const NcclTask& task)
      : call_(task.call),
        map_(task.map),
        memory_(task.map, task.bytes),
        communicators_(nccl_, task.map.devices),
        timed_(task.map.devices.front()) {
    begun_ = event_of(map_.devices.front());
    for (const int device : map_.devices) {
      done_.push_back(event_of(device));
      streams_.push_back(cuda::new_stream());  // event_of selected the device
    }
  }

  void set(const GraphPlace& at, const std::byte* from, std::uint64_t bytes) override {
    memory_.set(at, from, bytes);
  }
  void get(const GraphPlace& at, std::byte* to, std::uint64_t bytes) override {
    memory_.get(at, to, bytes);
  }
  Time run() override {
    return timed_.run([&] { enqueue(); });
  }

 private:
  static cuda::Event event_of(int device) {
    cuda::select(device);
    return cuda::new_event();
  }

  void enqueue() {
    cuda::check(cudaEventRecord(begun_.get(), timed_.stream()), "starting NCCL");
    for (std::size_t rank = 0; rank < streams_.size(); ++rank) {
      cuda::select(map_.devices[rank]);
      cuda::check(cudaStreamWaitEvent(streams_[rank].get(), begun_.get(), 0), "starting NCCL");
    }
    nccl_.check(nccl_.group_start(), "starting NCCL");
    for (std::size_t rank = 0; rank < streams_.size(); ++rank) {
      cuda::select(map_.devices[rank]);
      nccl_.check(call(rank), "calling NCCL");
    }
    nccl_.check(nccl_.group_end(), "running NCCL");
    for (std::size_t rank = 0; rank < streams_.size(); ++rank) {
      cuda::select(map_.devices[rank]);
      cuda::check(cudaEventRecord(done_[rank].get(), streams_[rank].get()), "running NCCL");
    }
    cuda::select(map_.devices.front());
    for (const cuda::Event& done : done_)
      cuda::check(cudaStreamWaitEvent(timed_.stream(), done.get(), 0), "running NCCL");
  }

  cuda::NcclResult call(std::size_t rank) {
    const void* const send = memory_.at(call_.ranks[rank].send);
    void* const receive = memory_.at(call_.ranks[rank].receive);
    const NcclComm comm = communicators_.of(rank);
    cudaStream_t const stream = streams_[rank].get();
    switch (call_.kind) {
      case CollectiveKind::allreduce:
        return nccl_.all_reduce(send, receive, call_.count, call_.datatype, cuda::kNcclSum, comm,
                                stream);
      case CollectiveKind::reduce:
        return nccl_.reduce(send, receive, call_.count, call_.datatype, cuda::kNcclSum, call_.root,
                            comm, stream);
      case CollectiveKind::broadcast:
        return nccl_.broadcast(send, receive, call_.count, call_.datatype, call_.root, comm,
                               stream);
      case CollectiveKind::reduce_scatter:
        return nccl_.reduce_scatter(send, receive, call_.count, call_.datatype, cuda::kNcclSum,
                                    comm, stream);
      case CollectiveKind::all_gather:
        return nccl_.all_gather(send, receive, call_.count, call_.datatype, comm, stream);
      default:
        throw_internal("a collective that NCCL has no function for");
    }
  }

  const NcclCall call_;
  const DeviceMap& map_;
  const cuda::NcclLibrary nccl_;
  cuda::PlaceMemory memory_;
  Communicators communicators_;
  cuda::Timed timed_;
  cuda::Event begun_;
  std::vector<cuda::Event> done_;
  std::vector<cuda::Stream> streams_;
};

}  // namespace

std::unique_ptr<PlaceRunner> make_nccl_runner(const NcclTask& task) {
  return std::make_unique<NcclRunner>(task);
}

std::string nccl_version() { return cuda::NcclLibrary().version(); }

}  // namespace syncsim
