#pragma once

/// Every event of the typed modules. `bidi::on<log::EntryAdded>(connection, handler)` receives one (see connection.hpp)
/// once session::subscribe has switched it on. Members that the browser left out keep their defaults.

#include "bidi/connection.hpp"
#include "bidi/modules/browsing_context_events.hpp"
#include "bidi/modules/log.hpp"
#include "bidi/modules/script.hpp"
