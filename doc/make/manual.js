/* The manual: contents of the page, buttons that copy code, and a search over the index of manual.sh (search.js). */
"use strict";
(function () {
    const root = document.documentElement.dataset.root || "";
    const main = document.querySelector("main");
    const make = (tag, words, to, attributes) => {
        const element = Object.assign(document.createElement(tag), attributes);
        element.textContent = words;
        to.append(element);
        return element;
    };

    /* Contents of the page: its headings of the second level. */
    const heads = [...main.querySelectorAll("h2[id]")];
    if (heads.length > 2 && !main.querySelector(".manual-text")) {
        const box = make("details", "", document.createDocumentFragment(), { className: "page-contents", open: innerWidth > 800 });
        make("summary", "On this page", box);
        const list = make("ul", "", box);
        heads.forEach(h => make("a", h.textContent, make("li", "", list), { href: "#" + h.id }));
        main.querySelector("h1").after(box);
    }

    /* A button copies commands without their output: the lines after "$ ". */
    for (const pre of main.querySelectorAll("pre")) {
        const button = make("button", "copy", pre, { type: "button", className: "copy" });
        button.addEventListener("click", async () => {
            const lines = (pre.querySelector("code") || pre.firstChild).textContent.split("\n");
            const commands = lines.filter(l => /^[$>] /.test(l)).map(l => l.slice(2));
            const words = (commands.length ? commands : lines).join("\n").trim() + "\n";
            if (navigator.clipboard) {
                await navigator.clipboard.writeText(words);
            } else { /* pages of plain http */
                const area = make("textarea", words, document.body);
                area.select();
                document.execCommand("copy");
                area.remove();
            }
            button.textContent = "copied";
            setTimeout(() => { button.textContent = "copy"; }, 1500);
        });
    }

    /* Search: pages and sections that have all words, first where a title has one. */
    const box = document.querySelector("#search"), found = document.querySelector("#found");
    const rank = (entry, words) => {
        const title = entry[1].toLowerCase(), text = entry[2].toLowerCase();
        return words.every(w => title.includes(w) || text.includes(w))
            ? 1 + words.filter(w => title.includes(w)).length : 0;
    };
    box.hidden = false;
    box.addEventListener("input", () => {
        const words = box.value.toLowerCase().split(/\s+/).filter(w => w.length > 1);
        found.replaceChildren();
        if (!words.length)
            return;
        const hits = (window.searchIndex || []).map(e => [rank(e, words), e]).filter(h => h[0]);
        hits.sort((a, b) => b[0] - a[0]);
        hits.slice(0, 12).forEach(([, e]) => make("a", e[1], make("li", "", found), { href: root + e[0] }));
        if (!hits.length)
            make("li", "nothing found", found);
    });
})();
/* SPDX-License-Identifier: MIT */
