import { type FormatCallback, htmlToText } from 'html-to-text'
import { Fragment, createElement as h, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { accentColors } from '#contract/accent.ts'
import { currentLanguage, isBeforeSignIn, isEnglish, withLanguage } from '#contract/language.ts'
import type { ProseBlock, ProsePiece } from '#contract/prose.ts'
import { oneLine } from '../../platform/format-values.ts'
import { type ButtonPart, type Fact, type Link, type MailMessage, nameOr, type Part } from './message.ts'
import { mailPhrases } from './text.ts'

/** Both forms of a letter: HTML, and the text shown without it. */
export type Rendered = { subject: string; html: string; text: string }

/** The account's own look, if any. */
export type MailLook = { accent: string | null; logo: { url: string; width: number; height: number } | null }

/** The address for turning off mails of this kind; absent if that is not possible. */
export type Footing = { unsubscribeUrl?: string | null; look?: MailLook | null }

/** Renders a letter, and derives its text from the HTML. */
export const renderMail = (letter: MailMessage, footing: Footing = {}): Rendered =>
  withLanguage(letter.language ?? 'en', () => render(letter, footing))

function render(letter: MailMessage, { unsubscribeUrl = null, look }: Footing): Rendered {
  const subject = oneLine(letter.subject)
  const html = `<!doctype html>${renderToStaticMarkup(page({ ...letter, subject }, unsubscribeUrl, look ?? null))}\n`
  return { subject, html, text: `${textOf(html).trim()}\n` }
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif'

/**
 * The colors of the web application (web/ui/tokens.css). Inline for mail programs without style sheets, and again for
 * dark mode.
 */
const light = {
  ground: '#f6f7f9',
  surface: '#ffffff',
  text: '#17202b',
  muted: '#556170',
  line: '#dde2e8',
}

type Colors = { link: string; linkInDark: string; button: string; buttonInDark: string; onButton: string }
const ours: Colors = {
  link: '#2f43bf',
  linkInDark: '#a3b4ff',
  button: '#3347c4',
  buttonInDark: '#4a5fd9',
  onButton: '#ffffff',
}

function colorsOf(accent: string | null | undefined): Colors {
  if (!accent) return ours
  const { link, primary, onPrimary } = accentColors(accent)
  return { link: link.light, linkInDark: link.dark, button: primary, buttonInDark: primary, onButton: onPrimary }
}

const styleIn = ({ linkInDark, buttonInDark }: Colors) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #0f141b !important; }
  .surface { background: #171e27 !important; border-color: #2c3743 !important; }
  .text { color: #e8edf3 !important; }
  .muted { color: #a9b4c1 !important; }
  .link { color: ${linkInDark} !important; }
  .line { border-color: #2c3743 !important; }
  .plate { background: #ffffff !important; }
  .button { background: ${buttonInDark} !important; }
}
@media (max-width: 480px) {
  .edge { padding: 12px 8px !important; }
  .inside { padding: 20px 16px !important; }
}
`

const table = (className: string | undefined, style: object, ...rows: ReactNode[]) =>
  h(
    'table',
    { role: 'presentation', width: '100%', cellPadding: 0, cellSpacing: 0, border: 0, className, style },
    h('tbody', null, ...rows),
  )

const paragraph = { margin: '0 0 16px', color: light.text, overflowWrap: 'anywhere' } as const
const small = { color: light.muted, fontSize: 13, lineHeight: 1.5, overflowWrap: 'anywhere' } as const

function page(letter: MailMessage, unsubscribeUrl: string | null, look: MailLook | null) {
  const colors = colorsOf(look?.accent)
  const account = letter.account === null ? 'Tributary' : nameOr(letter.account, 'Tributary')
  return h(
    'html',
    { lang: currentLanguage(), dir: 'ltr' },
    h(
      'head',
      null,
      h('meta', { charSet: 'utf-8' }),
      h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      h('meta', { name: 'color-scheme', content: 'light dark' }),
      h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
      h('meta', { name: 'format-detection', content: 'telephone=no, date=no, address=no, email=no, url=no' }),
      h('title', null, letter.subject),
      h('style', null, styleIn(colors)),
    ),
    h(
      'body',
      { className: 'ground', style: { margin: 0, padding: 0, background: light.ground, fontFamily: FONT } },
      h('div', { className: 'unread', style: HIDDEN }, `${oneLine(letter.preview)}${FILLER}`),
      table(
        'ground',
        { background: light.ground, tableLayout: 'fixed' },
        h(
          'tr',
          null,
          h(
            'td',
            { className: 'edge', align: 'center', style: { padding: '32px 16px' } },
            h(
              'div',
              { style: { maxWidth: 600, margin: '0 auto', textAlign: 'left' } },
              look?.logo && picture(look.logo),
              h(
                'p',
                { className: 'unread muted', dir: 'auto', style: { ...small, margin: '0 4px 12px', fontWeight: 600 } },
                account,
              ),
              card(letter, colors),
              footer(letter, unsubscribeUrl),
            ),
          ),
        ),
      ),
    ),
  )
}

/** Fills the space after the preview, where mailboxes would show text of the letter. */
const FILLER = ' \u00a0\u200c'.repeat(40)
const HIDDEN = {
  display: 'none',
  overflow: 'hidden',
  maxHeight: 0,
  maxWidth: 0,
  opacity: 0,
  lineHeight: '1px',
} as const

const LOGO = { width: 200, height: 48 }

/** The logo, at most as large as a heading needs; the account's name follows. */
function picture({ url, width, height }: NonNullable<MailLook['logo']>) {
  const scale = Math.min(1, LOGO.width / width, LOGO.height / height)
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const style = { display: 'block', border: 0, ...size }
  return h(
    'p',
    { className: 'unread', style: { margin: '0 4px 12px' } },
    h('img', { className: 'plate', src: url, alt: '', ...size, style }),
  )
}

const card = (letter: MailMessage, colors: Colors) =>
  table(
    'surface',
    {
      background: light.surface,
      border: `1px solid ${light.line}`,
      borderRadius: 8,
      borderCollapse: 'separate',
      tableLayout: 'fixed',
    },
    h(
      'tr',
      null,
      h(
        'td',
        { className: 'inside text', style: { padding: '28px 32px', color: light.text, fontSize: 15, lineHeight: 1.5 } },
        h(
          'h1',
          {
            ...langOf(letter),
            className: 'unread text',
            style: { ...paragraph, fontSize: 20, lineHeight: 1.3, fontWeight: 600 },
          },
          letter.subject,
        ),
        ...letter.parts.flatMap((part) => partOf(part, colors, letter)),
        ...(letter.button ? buttonOf({ button: letter.button, showsLink: letter.showsLink }, colors) : []),
        letter.other && other(letter.other, colors),
      ),
    ),
  )

const text = (line: string) => h('p', { className: 'text', style: paragraph }, oneLine(line))

const heading = (words: ReactNode, lang: { lang?: string } = {}) =>
  h(
    'h2',
    { ...lang, className: 'text', style: { ...paragraph, margin: '24px 0 8px', fontSize: 15, fontWeight: 600 } },
    words,
  )

/** The language of what an account wrote, where it is another one than the letter's. */
const langOf = ({ textLanguage }: MailMessage) =>
  textLanguage !== undefined && textLanguage !== currentLanguage() ? { lang: textLanguage } : {}

function partOf(part: Part, colors: Colors, letter: MailMessage): ReactNode[] {
  if (typeof part === 'string') return [text(part)]
  if ('prose' in part) return part.prose.map((block) => blockOf(block, langOf(letter)))
  if ('button' in part) return buttonOf(part, colors)
  return [
    part.heading && heading(oneLine(part.heading)),
    table(undefined, { margin: '0 0 20px', tableLayout: 'fixed' }, ...part.facts.map(factOf)),
  ]
}

/** Addresses stay text: mail programs link them and show the target. */
function blockOf(block: ProseBlock, lang: { lang?: string }): ReactNode {
  if (block.kind === 'heading') return heading(lineOf(block.line), lang)
  if (block.kind === 'list')
    return h(
      'ul',
      { ...lang, className: 'text', style: { ...paragraph, paddingLeft: 20 } },
      ...block.items.map((item) => h('li', { style: { margin: '0 0 4px' } }, lineOf(item))),
    )
  const lines = block.lines.map((line, at) => h(Fragment, { key: at }, at > 0 && h('br'), lineOf(line)))
  return h('p', { ...lang, className: 'text', style: paragraph }, lines)
}

const lineOf = (pieces: readonly ProsePiece[]) => oneLine(pieces.map((piece) => piece.text).join(''))

const factOf = ({ label, value, note }: Fact) => {
  const cell = {
    padding: '8px 0',
    borderTop: `1px solid ${light.line}`,
    verticalAlign: 'top',
    fontSize: 15,
    lineHeight: 1.4,
    overflowWrap: 'anywhere',
  } as const
  const noted = note && h('div', { className: 'note muted', dir: 'auto', style: small }, oneLine(note))
  if (value === '')
    return h(
      'tr',
      { className: 'fact' },
      h(
        'td',
        { className: 'line text', colSpan: 2, dir: 'auto', style: { ...cell, color: light.text } },
        oneLine(label),
        noted,
      ),
    )
  return h(
    'tr',
    { className: 'fact' },
    h(
      'td',
      { className: 'line muted', dir: 'auto', style: { ...cell, width: '45%', paddingRight: 12, color: light.muted } },
      oneLine(label),
    ),
    h(
      'td',
      { className: 'line text value', dir: 'auto', style: { ...cell, color: light.text } },
      oneLine(value),
      noted,
    ),
  )
}

const buttonOf = ({ button, showsLink }: ButtonPart, colors: Colors) => [
  pressed(button, colors),
  showsLink && copied(button),
]

/** Returns an address at which the screens before signing in are in the language of the mail. */
function toLocalized(address: string) {
  if (isEnglish()) return address
  const url = new URL(address)
  if (isBeforeSignIn(url.pathname)) url.searchParams.set('lang', currentLanguage())
  return url.href
}

const pressed = ({ label, url }: Link, { button, onButton }: Colors) =>
  h(
    'table',
    { role: 'presentation', cellPadding: 0, cellSpacing: 0, border: 0, style: { margin: '24px 0 8px' } },
    h(
      'tbody',
      null,
      h(
        'tr',
        null,
        h(
          'td',
          { className: 'button', style: { background: button, borderRadius: 6 } },
          h(
            'a',
            {
              href: toLocalized(url),
              className: 'press',
              style: {
                display: 'inline-block',
                padding: '11px 18px',
                color: onButton,
                fontSize: 15,
                fontWeight: 600,
                lineHeight: '22px',
                textDecoration: 'none',
              },
            },
            label,
          ),
        ),
      ),
    ),
  )

const copied = ({ url }: Link) =>
  h(
    'p',
    { className: 'unread muted', style: { ...small, margin: '12px 0 0', wordBreak: 'break-all' } },
    toLocalized(url),
  )

const other = ({ help, label, url }: NonNullable<MailMessage['other']>, { link }: Colors) => [
  h('p', { key: 'help', className: 'text', style: { ...paragraph, margin: '24px 0 4px' } }, help),
  h(
    'p',
    { key: 'link', style: { ...paragraph, margin: 0 } },
    h('a', { href: toLocalized(url), className: 'press link', style: { color: link } }, label),
  ),
]

const footer = ({ because }: MailMessage, unsubscribeUrl: string | null) =>
  h(
    'div',
    { className: 'foot' },
    h('p', { className: 'muted', style: { ...small, margin: '16px 4px 0' } }, oneLine(because)),
    unsubscribeUrl &&
      h(
        'p',
        { className: 'muted', style: { ...small, margin: '4px 4px 0' } },
        h(
          'a',
          { href: toLocalized(unsubscribeUrl), className: 'press muted', style: { color: light.muted } },
          mailPhrases.unsubscribe,
        ),
      ),
  )

type Node = Parameters<FormatCallback>[0]

const hasClass = (node: Node, name: string) => (node.attribs?.class ?? '').split(' ').includes(name)

/** Formats `Label: value`, and the note below. */
const fact: FormatCallback = (row, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  for (const cell of (row.children ?? []) as Node[]) {
    if (hasClass(cell, 'value')) builder.addInline(mailPhrases.colon)
    const [note, words] = [cell.children.filter(isNote), cell.children.filter((child: Node) => !isNote(child))]
    walk(words, builder)
    if (note.length > 0) {
      builder.addInline(' (')
      walk(
        note.flatMap((one: Node) => one.children),
        builder,
      )
      builder.addInline(')')
    }
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}
const isNote = (node: Node) => hasClass(node, 'note')

/** Formats `Label: address`. */
const press: FormatCallback = (link, walk, builder) => {
  walk(link.children, builder)
  builder.addInline(mailPhrases.colon)
  builder.addInline(link.attribs.href, { noWordTransform: true })
}

/** Formats a separator line between the letter and the reason for it. */
const foot: FormatCallback = (node, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 2 })
  builder.addInline('–')
  for (const line of node.children) {
    builder.openBlock({ leadingLineBreaks: 1 })
    walk(line.children, builder)
    builder.closeBlock({ trailingLineBreaks: 1 })
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

const textOf = (html: string) =>
  htmlToText(html, {
    wordwrap: false,
    formatters: { fact, press, foot },
    selectors: [
      { selector: '.unread', format: 'skip' },
      { selector: 'tr.fact', format: 'fact' },
      { selector: 'a.press', format: 'press' },
      { selector: 'ul', options: { itemPrefix: '- ', leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      { selector: 'div.foot', format: 'foot' },
      { selector: 'h2', options: { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 } },
      { selector: 'p', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
      { selector: 'table', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    ],
  })
