import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MailKind, mailKinds } from '#contract/mail-kinds.ts'
import { proseText } from '#contract/prose.ts'
import { renderMail } from '../layout.ts'
import { type MailMessage, nameOr } from '../message.ts'
import { mails } from './registry.ts'

const layOut = (letter: MailMessage) =>
  renderMail(letter, { unsubscribeUrl: 'https://partners.example.com/mail/unsubscribe/x' })

/** Returns the visible text of a page: no tags, no styles, entities resolved. */
const seenIn = (html: string) =>
  html
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&')
const squeezed = (text: string) => text.replace(/\s+/g, ' ')

/** All text of a letter except its subject. */
const wordsOf = ({ parts, button, other, because }: MailMessage) => [
  ...parts.flatMap((part) =>
    typeof part === 'string'
      ? [part]
      : 'prose' in part
        ? proseText(part.prose).flatMap((text) => text.split('\n').map((line) => line.replace(/^- /, '')))
        : 'button' in part
          ? [part.button.label, part.button.url]
          : [part.heading ?? '', ...part.facts.flatMap(({ label, value, note }) => [label, value, note ?? ''])],
  ),
  ...(button ? [button.label, button.url] : []),
  ...(other ? [other.help, other.label, other.url] : []),
  because,
]

for (const kind of mailKinds)
  test(`${kind}: both formats have the same content, and nothing external`, () => {
    const letter = mails[kind].write(mails[kind].sample)
    const { subject, html, text } = layOut(letter)
    assert.ok(subject.length > 5 && subject.length < 120, subject)
    const [inHtml, inText] = [
      squeezed(
        `${seenIn(html)} ${[...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url!.replaceAll('&amp;', '&')).join(' ')}`,
      ),
      squeezed(text),
    ]
    for (const words of wordsOf(letter).filter(Boolean)) {
      assert.ok(inHtml.includes(words), `the page lacks: ${words}`)
      assert.ok(inText.includes(words), `the text lacks: ${words}`)
    }
    for (const [, url] of [...html.matchAll(/(?:href|src)="([^"]+)"/g), ...text.matchAll(/(https?:\S+)/g)])
      assert.match(url!, /^https:\/\/partners\.example\.com\//)
    assert.doesNotMatch(html, /<img|<script|<link|<form|@import|url\(/i)
    assert.match(html, /^<!doctype html><html lang="en"/)
    assert.match(html, /name="color-scheme" content="light dark"/)
    assert.doesNotMatch(text, /[<>]|&\w+;/)
    assert.match(text, /Unsubscribe: https:\/\/partners\.example\.com\/mail\/unsubscribe\/x\n$/)
    assert.doesNotMatch(renderMail(letter).text, /Unsubscribe/)
  })

/** Returns a copy of the data with all names and other user-entered texts replaced, but what an account wrote to read. */
function withWords(data: unknown, words: string): unknown {
  const isOurs = (key: string, value: string) =>
    /^(url|signInUrl|to|kind|code|change|method|what|status|currency|month|from|on|day|at|message|provider|sentBy|failedAt|newestAt|subject|body|language)$/.test(
      key,
    ) || value === ''
  const replaced = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return isOurs(key, value) ? value : words
    if (Array.isArray(value)) return value.map((one) => replaced(one, key))
    if (value && typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, replaced(one, inner)]))
    return value
  }
  return replaced(data, '')
}

const writtenWith = (kind: MailKind, words: string) => mails[kind].write(withWords(mails[kind].sample, words) as object)

const hostile = [
  'Evil</td></table><script>alert(1)</script>',
  '"><a href="https://evil.example/">x</a>',
  "O'Neil & Söhne <b>",
  'One\r\nBcc: victim@mail.example\r\n\r\nTwo\u2028Three\u0000',
  '\u202Eecnart\u202C \u2066x\u2069',
  '\u{1F469}\u200D\u{1F4BB}\u{1F600}',
  'שלום עולם',
]
for (const kind of mailKinds)
  test(`${kind}: names cannot inject headers, markup or text direction`, () => {
    for (const words of hostile) {
      const { subject, html, text } = layOut(writtenWith(kind, words))
      assert.doesNotMatch(subject + text.replaceAll('\n', ''), /\p{Cc}|\p{Zl}|\p{Bidi_Control}/u)
      assert.doesNotMatch(subject, /\n/)
      assert.doesNotMatch(html, /\p{Bidi_Control}/u)
      assert.doesNotMatch(html, /<script|<b>|href="https:\/\/evil/)
      assert.doesNotMatch(text, /^Bcc/m)
    }
  })

/** Texts from providers, webhooks and accounts, and domains, are not names. */
const TELLS_OF_OTHERS: MailKind[] = ['partner-question', 'webhook-turned-off', 'provider-attention', 'host-attention']

test('a name that contains an address is omitted from every mail', () => {
  for (const kind of mailKinds) {
    if (TELLS_OF_OTHERS.includes(kind)) continue
    const letter = writtenWith(kind, 'Win at www.evil.example/prize')
    const { subject, html, text } = layOut(letter)
    for (const form of [subject, html, text]) assert.doesNotMatch(form, /evil\.example/, kind)
  }
})

test('no name becomes a link in a mail client; someone named like a host keeps their name', () => {
  const sayings = [
    'evil.example',
    'Win at evil.com',
    'a@b,evil.com',
    'evil.example:8080',
    'evil.example?login',
    'evil。com',
  ]
  for (const kind of mailKinds) {
    if (TELLS_OF_OTHERS.includes(kind)) continue
    for (const words of sayings) {
      const { subject, html, text } = layOut(writtenWith(kind, words))
      for (const form of [subject, html, text]) assert.doesNotMatch(form, /evil[.。]\p{L}/u, `${kind}: ${words}`)
    }
  }
  assert.equal(nameOr('Shop.example', 'x').replace('\u200b', ''), 'Shop.example')
  for (const name of ['J.R. Smith', 'Smith Inc.', 'No. 5', 'ann@mail.example']) assert.equal(nameOr(name, 'x'), name)
})

test('a long name is shortened at a natural place', () => {
  const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'
  assert.equal(nameOr(family.repeat(200), 'x'), `${family.repeat(79)}…`)
  assert.equal(nameOr('n'.repeat(80), 'x'), 'n'.repeat(80))
  for (const kind of mailKinds) assert.ok(layOut(writtenWith(kind, 'n'.repeat(200))).subject.length < 220, kind)
})

test('unhelpful names are replaced by the kind of object', () => {
  for (const name of [null, undefined, '', '  ', '\r\n', '\u200f']) assert.equal(nameOr(name, 'A lead'), 'A lead')
})
