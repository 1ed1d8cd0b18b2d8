#pragma once

#include <chrono>
#include <cstddef>

/// What one client may cost the daemon. A measurement may be going on beside it, so each number is as small as honest
/// use allows. `Limits` in server.hpp carries those that a test has to make smaller.
namespace foxbench::http {

/// Request line and header fields together: a browser's cookies and a long filter fit four times over.
inline constexpr std::size_t kMaxHeaderBytes = 8 * 1024;
/// The request target alone: what is longer is 414 rather than 431, because it is the address that is at fault.
inline constexpr std::size_t kMaxTargetBytes = 4 * 1024;
/// A JSON body: the largest request, one with every override, has less than 10 KiB.
inline constexpr std::size_t kMaxBodyBytes = 1024 * 1024;
/// An imported run document with its samples.
inline constexpr std::size_t kMaxImportBytes = 64 * 1024 * 1024;
/// What is read ahead of one connection; also bounds what the parser has to see in one piece: a chunk's header with its
/// extensions, and trailers.
inline constexpr std::size_t kReadBufferBytes = 16 * 1024;

/// From a request's first byte to the end of its header.
inline constexpr std::chrono::milliseconds kHeaderDeadline{10'000};
/// From the end of the header to the end of the body.
inline constexpr std::chrono::milliseconds kBodyDeadline{30'000};
/// Between requests, and for a client that takes nothing of an answer any more.
inline constexpr std::chrono::milliseconds kIdleDeadline{15'000};
/// How long a connection beyond the limit may take to say that it only asks for the process's health.
inline constexpr std::chrono::milliseconds kRefusalDeadline{1'000};
/// After an early answer the rest of the request is read and thrown away for so long: closing at once would reset the
/// connection, and the client would lose the answer (RFC 9112, section 9.6).
inline constexpr std::chrono::milliseconds kLingerDeadline{2'000};

/// Connections that are no event streams: a dashboard holds 6, a load balancer's probe 1.
inline constexpr std::size_t kMaxConnections = 64;
/// Event streams: each costs a descriptor for as long as somebody's tab is open.
inline constexpr std::size_t kMaxEventStreams = 32;
/// Connections beyond the limit that are told so politely; what comes on top of these is closed without a word.
inline constexpr std::size_t kMaxRefusals = 16;
/// What a refused client is told to wait, in seconds: an idle connection ends within this.
inline constexpr int kRetryAfterSeconds = 15;

/// After an accept that failed (out of descriptors) the loop waits rather than spins, ...
inline constexpr std::chrono::milliseconds kAcceptPause{100};
/// ... and says so once in this time.
inline constexpr std::chrono::seconds kAcceptFaultInterval{60};

/// Events that a client may be behind before it is let go.
inline constexpr std::size_t kEventQueue = 256;
/// Events that are kept for clients that come back with Last-Event-ID: some minutes of a run's progress.
inline constexpr std::size_t kEventRing = 4096;
/// Proxies give up on a connection that is silent for 30 to 60 s.
inline constexpr std::chrono::milliseconds kEventComment{15'000};
/// What a client waits before it connects again (`retry:`).
inline constexpr std::chrono::milliseconds kEventRetry{2'000};

/// Smaller bodies gain nothing from gzip: they fit one packet anyway.
inline constexpr std::size_t kMinGzipBytes = 1024;
/// Larger bodies are compressed, hashed or parsed on the pool: a millisecond on the event loop is the most.
inline constexpr std::size_t kOffloadBytes = 64 * 1024;

}  // namespace foxbench::http
