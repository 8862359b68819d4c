-- Links between chapters, which are Markdown files, become links between pages of HTML; in the book, where all chapters
-- are one page, anchors that begin with the chapter's name.
local book = false
local chapter = ""
local source = ""

local function anchor(page, mark)
    page = page:gsub("/", "-")
    return "#" .. page .. (mark ~= "" and "--" .. mark or "")
end

-- The path of another chapter, from this chapter's folder, or nil.
local function resolved(path)
    local folder = chapter:match("^(.*/)") or ""
    path = folder .. path
    while path:find("[^/]+/%.%./") do
        path = path:gsub("[^/]+/%.%./", "", 1)
    end
    return path
end

local function link(element)
    local target = element.target
    if target:match("^%a+:") then
        return nil
    end
    if target:sub(1, 1) == "#" then
        element.target = book and anchor(chapter, target:sub(2)) or target
        return element
    end
    local path, mark = target:match("^([^#]*)%.md#?(.*)$")
    if not path then
        return nil
    end
    -- Where the text is the file's name, the chapter's title stands there.
    if pandoc.utils.stringify(element.content):match("%.md$") then
        local file = io.open(source .. "/" .. resolved(path) .. ".md")
        if file then
            element.content = { pandoc.Str((file:read("l"):gsub("^# ", ""))) }
            file:close()
        end
    end
    if book then
        element.target = anchor(resolved(path), mark)
    else
        element.target = path .. ".html" .. (mark ~= "" and "#" .. mark or "")
    end
    return element
end

local function heading(element)
    if book then
        element.identifier = element.level == 1 and anchor(chapter, ""):sub(2)
            or anchor(chapter, element.identifier):sub(2)
    end
    return element
end

-- Pictures lie in one folder.
local function image(element)
    if book then
        element.src = element.src:gsub("^%.%./", "")
    end
    return element
end

return {
    { Meta = function(meta)
        book = meta.book ~= nil
        chapter = meta.chapter and pandoc.utils.stringify(meta.chapter) or ""
        source = meta.source and pandoc.utils.stringify(meta.source) or ""
    end },
    { Link = link, Header = heading, Image = image },
}
-- SPDX-License-Identifier: MIT
