// The commands of the module browsingContext, against a real Firefox. Their events: firefox_events_test.cpp.

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "bidi/modules/firefox_fixture.hpp"

namespace bidi::testing {
namespace {

using namespace browsing_context;
using ::testing::AnyOf;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Beginnings of base64 encodings of the files' first bytes.
constexpr std::string_view kPng = "iVBORw0KGgo";
constexpr std::string_view kJpeg = "/9j/";
constexpr std::string_view kPdf = "JVBERi0";

class BrowsingContextTest : public FirefoxTest {
protected:
    /// The nodes found in the test's tab.
    Task<std::vector<script::RemoteValue>> located(Locator locator, LocateNodesOptions options) {
        const auto result = co_await locate_nodes(connection(), tab_, locator, options);
        co_return result.nodes;
    }
    Task<std::size_t> count(Locator locator) {
        const LocateNodesOptions options;
        const auto nodes = co_await located(locator, options);
        co_return nodes.size();
    }
};

TEST_F(BrowsingContextTest, ContextsAreCreatedActivatedAndClosed) {
    run([this]() -> Task<> {
        const auto user = co_await browser::create_user_context(connection());
        CreateOptions options;
        options.background = true;
        options.user_context = user.user_context;
        const auto window = co_await create(connection(), CreateType::window, options);
        options.reference_context = window.context;
        const auto tab = co_await create(connection(), CreateType::tab, options);
        co_await activate(connection(), tab.context);
        const auto tree = co_await get_tree(connection());
        const auto created = std::find_if(tree.contexts.begin(), tree.contexts.end(),
                                          [&tab](const Info& info) { return info.context == tab.context; });
        EXPECT_NE(created, tree.contexts.end());
        if (created != tree.contexts.end()) {
            EXPECT_EQ(created->user_context, user.user_context);
            EXPECT_EQ(created->url, "about:blank");
            EXPECT_FALSE(created->client_window.empty());
            EXPECT_FALSE(created->parent);
        }
        co_await close(connection(), tab.context);
        co_await close(connection(), window.context);
        EXPECT_EQ(co_await error_code(activate(connection(), tab.context)), "no such frame");
        EXPECT_EQ(co_await error_code(close(connection(), tab.context)), "no such frame");
        co_await browser::remove_user_context(connection(), user.user_context);
    });
}

TEST_F(BrowsingContextTest, TreeHasTheFramesDownToTheDepth) {
    site().serve("/outer.html", "<iframe src=inner.html></iframe>");
    site().serve("/inner.html", "<p>inner");
    run([this]() -> Task<> {
        co_await visit("/outer.html");
        GetTreeOptions options;
        options.root = tab_;
        const auto tree = co_await get_tree(connection(), options);
        EXPECT_THAT(tree.contexts, SizeIs(1));
        EXPECT_TRUE(tree.contexts.at(0).children);
        const Info& frame = tree.contexts.at(0).children.value().at(0);
        EXPECT_EQ(frame.url, site().url("/inner.html"));
        EXPECT_EQ(co_await error_code(activate(connection(), frame.context)), "invalid argument");
        // A browser that has this kind of locator looks for the context; another one refuses the locator whatever it
        // names.
        const Locator nowhere = ContextLocator("no-such-context");
        if (co_await error_code(locate_nodes(connection(), tab_, nowhere)) == "invalid argument") {
            std::cout << "this browser lacks the context locator\n";
        } else {
            EXPECT_EQ(co_await count(ContextLocator(frame.context)), 1u);
        }

        options.max_depth = 0;
        const auto flat = co_await get_tree(connection(), options);
        EXPECT_FALSE(flat.contexts.at(0).children);
    });
}

TEST_F(BrowsingContextTest, ScreenshotsAreTaken) {
    site().serve("/box.html", "<div id=box style='width:50px;height:40px;background:red'></div>");
    run([this]() -> Task<> {
        co_await visit("/box.html");
        const auto viewport = co_await capture_screenshot(connection(), tab_);
        EXPECT_THAT(viewport.data, StartsWith(kPng));

        CaptureScreenshotOptions options;
        options.origin = ScreenshotOrigin::document;
        options.format = ImageFormat("image/jpeg", 0.5);
        options.clip = BoxClipRectangle{0, 0, 20, 10};
        const auto box = co_await capture_screenshot(connection(), tab_, options);
        EXPECT_THAT(box.data, StartsWith(kJpeg));

        const LocateNodesOptions all;
        const auto nodes = co_await located(CssLocator("#box"), all);
        CaptureScreenshotOptions element;
        element.clip = ElementClipRectangle(script::shared_reference(nodes.at(0)));
        const auto shot = co_await capture_screenshot(connection(), tab_, element);
        EXPECT_THAT(shot.data, StartsWith(kPng));

        options.clip = BoxClipRectangle{0, 0, 0, 0};
        EXPECT_EQ(co_await error_code(capture_screenshot(connection(), tab_, options)), "unable to capture screen");
    });
}

TEST_F(BrowsingContextTest, NodesAreLocated) {
    site().serve("/nodes.html", "<ul id=list><li>one<li>two</ul><button>Save</button><p>Some <b>Words</b></p>");
    run([this]() -> Task<> {
        co_await visit("/nodes.html");
        EXPECT_EQ(co_await count(CssLocator("li")), 2u);
        EXPECT_EQ(co_await count(XPathLocator("//li")), 2u);
        EXPECT_EQ(co_await count(AccessibilityLocator("Save", "button")), 1u);
        EXPECT_EQ(co_await count(AccessibilityLocator(std::nullopt, "button")), 1u);
        LocateNodesOptions options;
        options.max_node_count = 1;
        options.serialization_options.emplace().max_dom_depth = nullptr;
        const LocateNodesOptions everywhere;
        const auto lists = co_await located(CssLocator("#list"), everywhere);
        options.start_nodes.push_back(script::shared_reference(lists.at(0)));
        const auto items = co_await located(CssLocator("li"), options);
        EXPECT_THAT(items, SizeIs(1));
        EXPECT_EQ(items.at(0).type, "node");
        EXPECT_EQ(items.at(0).value.at("children").at(0).at("value").at("nodeValue"), "one");

        EXPECT_EQ(co_await error_code(locate_nodes(connection(), tab_, CssLocator("li["))), "invalid selector");
        EXPECT_EQ(co_await error_code(locate_nodes(connection(), tab_, XPathLocator("//["))), "invalid selector");
    });
}

TEST_F(BrowsingContextTest, NodesAreLocatedByTextWhereTheBrowserCan) {
    site().serve("/text.html", "<p>Some <b>Words</b></p>");
    run([this]() -> Task<> {
        co_await visit("/text.html");
        InnerTextLocator text("wor");
        const std::string code = co_await error_code(locate_nodes(connection(), tab_, text));
        EXPECT_THAT(code, AnyOf("", "unsupported operation"));
        if (!code.empty()) co_return;
        EXPECT_EQ(co_await count(text), 0u);
        text.ignore_case = true;
        text.match_type = MatchType::partial;
        text.max_depth = 5;
        EXPECT_EQ(co_await count(text), 1u);
    });
}

TEST_F(BrowsingContextTest, PagesAreNavigatedAndReloaded) {
    site().serve("/a.html", "<title>a</title>");
    run([this]() -> Task<> {
        const std::string url = site().url("/a.html");
        const auto navigated = co_await navigate(connection(), tab_, url, ReadinessState::complete);
        EXPECT_EQ(navigated.url, url);
        EXPECT_TRUE(navigated.navigation);
        EXPECT_EQ(co_await evaluate("document.readyState"), "complete");
        ReloadOptions options;
        options.ignore_cache = true;
        options.wait = ReadinessState::interactive;
        const auto code = co_await error_code(reload(connection(), tab_, options));
        // Firefox has reload without ignoreCache (bug 1830859).
        EXPECT_THAT(code, AnyOf("", "unsupported operation"));
        options.ignore_cache.reset();
        const auto reloaded = co_await reload(connection(), tab_, options);
        EXPECT_EQ(reloaded.url, url);
        EXPECT_NE(reloaded.navigation, navigated.navigation);
        const auto at_once = co_await navigate(connection(), tab_, url);
        EXPECT_EQ(at_once.url, url);

        EXPECT_EQ(co_await error_code(navigate(connection(), tab_, "http://[/")), "invalid argument");
        EXPECT_EQ(co_await error_code(navigate(connection(), "no context", url)), "no such frame");
        const std::string refused = TestSite::unreachable_url();
        EXPECT_EQ(co_await error_code(navigate(connection(), tab_, refused, ReadinessState::complete)),
                  "unknown error");
    });
}

TEST_F(BrowsingContextTest, PagesArePrinted) {
    run([this]() -> Task<> {
        const auto plain = co_await print(connection(), tab_);
        EXPECT_THAT(plain.data, StartsWith(kPdf));
        PrintOptions options;
        options.background = true;
        options.margin = PrintMargin{0.5, 0.5, 0.5, 0.5};
        options.orientation = PrintOrientation::landscape;
        options.page = PrintPage{20.0, 15.0};
        options.page_ranges.emplace_back(std::uint64_t{1});
        options.page_ranges.emplace_back("1-2");
        options.scale = 0.5;
        options.shrink_to_fit = false;
        const auto full = co_await print(connection(), tab_, options);
        EXPECT_THAT(full.data, StartsWith(kPdf));
        options.scale = 9;
        EXPECT_EQ(co_await error_code(print(connection(), tab_, options)), "invalid argument");
    });
}

TEST_F(BrowsingContextTest, ViewportIsSetAndGivenBack) {
    run([this]() -> Task<> {
        const auto before = co_await evaluate("[innerWidth, innerHeight, devicePixelRatio]");
        SetViewportOptions options;
        options.context = tab_;
        options.viewport = Viewport{321, 234};
        options.device_pixel_ratio = 2;
        co_await set_viewport(connection(), options);
        EXPECT_EQ(co_await evaluate("[innerWidth, innerHeight, devicePixelRatio]"), json::parse("[321, 234, 2]"));
        options.viewport = nullptr;
        options.device_pixel_ratio = nullptr;
        co_await set_viewport(connection(), options);
        EXPECT_EQ(co_await evaluate("[innerWidth, innerHeight, devicePixelRatio]"), before);
        options.context.reset();
        options.user_contexts.emplace_back("no such context");
        EXPECT_EQ(co_await error_code(set_viewport(connection(), options)), "no such user context");
    });
}

TEST_F(BrowsingContextTest, HistoryIsTraversed) {
    site().serve("/first.html", "<title>first</title>");
    site().serve("/second.html", "<title>second</title>");
    run([this]() -> Task<> {
        co_await visit("/first.html");
        co_await visit("/second.html");
        const auto loads = watch<Load>();
        co_await traverse_history(connection(), tab_, -1);
        // A page from the back-forward cache sends no load event, so the title is what tells.
        json title;
        while (title != "first") title = co_await evaluate("document.title");
        EXPECT_EQ(co_await error_code(traverse_history(connection(), tab_, 100)), "no such history entry");
    });
}

TEST_F(BrowsingContextTest, CspIsBypassed) {
    site().serve("/csp.html", "<script>window.ran = true</script>",
                 "Content-Type: text/html\r\nContent-Security-Policy: default-src 'none'\r\n");
    run([this]() -> Task<> {
        SetBypassCspOptions options;
        options.contexts = std::vector<std::string>(1, tab_);
        if (!co_await has("browsingContext.setBypassCSP")) {
            EXPECT_EQ(co_await error_code(set_bypass_csp(connection(), true, options)), "unknown command");
            co_return;
        }
        co_await set_bypass_csp(connection(), true, options);
        co_await visit("/csp.html");
        EXPECT_EQ(co_await evaluate("window.ran"), true);
        co_await set_bypass_csp(connection(), false, options);
        co_await visit("/csp.html");
        EXPECT_EQ(co_await evaluate("window.ran"), nullptr);
    });
}

TEST_F(BrowsingContextTest, ScreencastsAreRecorded) {
    run([this]() -> Task<> {
        if (!co_await has("browsingContext.startScreencast")) {
            EXPECT_EQ(co_await error_code(start_screencast(connection(), tab_)), "unknown command");
            EXPECT_EQ(co_await error_code(stop_screencast(connection(), "none")), "unknown command");
            co_return;
        }
        const auto started = co_await start_screencast(connection(), tab_);
        EXPECT_FALSE(started.screencast.empty());
        const auto stopped = co_await stop_screencast(connection(), started.screencast);
        EXPECT_EQ(stopped.path, started.path);
        EXPECT_FALSE(stopped.error) << *stopped.error;
        std::filesystem::remove(stopped.path);
    });
}

}  // namespace
}  // namespace bidi::testing
