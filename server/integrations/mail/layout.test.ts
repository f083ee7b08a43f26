import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProse } from '#contract/prose.ts'
import { renderMail } from './layout.ts'
import { type MailMessage, toPartner } from './message.ts'

const letter: MailMessage = {
  ...toPartner('Northwind'),
  subject: 'Your payout was sent',
  preview: 'It is on its way.',
  parts: ['Hello,'],
  button: { label: 'Open', url: 'https://partners.example.com/' },
  other: { help: 'Or', label: 'read more', url: 'https://partners.example.com/more' },
}

test('prose keeps its form, and what it says stays text', () => {
  const body =
    '# Hello <b>\n\nOne\ntwo https://evil.example/?a=1&b="2"\n\n- <script>alert(1)</script>\n- four \u202eevil'
  const { html, text } = renderMail({ ...letter, parts: [{ prose: parseProse(body) }] })
  assert.match(html, /<h2[^>]*>Hello &lt;b&gt;<\/h2>/)
  assert.match(html, /One<br\/>two https:\/\/evil\.example\/\?a=1&amp;b=&quot;2&quot;<\/p>/)
  assert.match(html, /<li[^>]*>&lt;script&gt;alert\(1\)&lt;\/script&gt;<\/li><li[^>]*>four evil<\/li>/)
  assert.doesNotMatch(html, /<script|href="https:\/\/evil/)
  assert.match(
    text,
    /Hello <b>\n\nOne\ntwo https:\/\/evil\.example\/\?a=1&b="2"\n\n- <script>alert\(1\)<\/script>\n- four evil\n/,
  )
})

test('a letter has the logo and color of its account, and the same text', () => {
  const plain = renderMail(letter)
  const url = 'https://partners.example.com/files/Qm7xKq2VzR9wT4nHc6LdYs?v=5a1c90be'
  const { html, text } = renderMail(letter, { look: { accent: '#ffd400', logo: { url, width: 800, height: 400 } } })
  assert.equal(text, plain.text)
  assert.doesNotMatch(plain.html, /<img/)
  assert.match(html, new RegExp(`<img class="plate" src="${url.replace('?', '\\?')}" alt="" width="96" height="48"`))
  assert.match(html, /class="button" style="background:#ffd400/)
  assert.match(html, /\.button \{ background: #ffd400 !important; \}/)
  assert.match(html, /color:#000000;font-size:15px;font-weight:600/)
  assert.doesNotMatch(html, /#3347c4|#4a5fd9|#2f43bf|#a3b4ff/)
})
