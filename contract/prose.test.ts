import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseProse, proseHtml, proseText } from './prose.ts'

const html = (text: string) => proseHtml(parseProse(text))

test('empty lines part paragraphs; headings and list items begin a line', () => {
  const text =
    '# Who fits\n- Agencies\n- Writers\n\nFirst line\nsecond line\r\n\r\n- Last\nafter it\n#No heading\n-none'
  assert.equal(
    html(text),
    '<h3>Who fits</h3><ul><li>Agencies</li><li>Writers</li></ul><p>First line<br>second line</p><ul><li>Last</li></ul>' +
      '<p>after it<br>#No heading<br>-none</p>',
  )
  assert.deepEqual(proseText(parseProse('# A\n- b\n- c\n\nd\ne')), ['A', '- b\n- c', 'd\ne'])
  assert.equal(html(' \n\n'), '')
})

test('an https address becomes a link without the sentence’s own marks, and nothing else does', () => {
  const link = (href: string, text = href) => `<a href="${href}" rel="nofollow noopener">${text}</a>`
  assert.equal(
    html('See https://a.example/x?y=1&z, or (https://b.example/c_(d)).'),
    `<p>See ${link('https://a.example/x?y=1&amp;z')}, or (${link('https://b.example/c_(d)')}).</p>`,
  )
  for (const text of [
    'http://a.example',
    'javascript:alert(1)',
    'https://',
    'https://me@evil.example',
    'xhttps://a.example',
  ])
    assert.doesNotMatch(html(text), /<a /, text)
})

test('no text becomes markup', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '# <b>',
    '- "\'><img>',
    'https://a.example/"onclick=x',
    'https://a.example/<b>',
  ]) {
    const bare = html(text).replace(/<\/?(h3|ul|li|p)>|<a href="[^"<>]*" rel="nofollow noopener">|<\/a>|<br>/g, '')
    assert.doesNotMatch(bare, /[<>"']/, text)
  }
})
