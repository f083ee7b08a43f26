import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostIn, readUserAgent, toPath } from './visitor.ts'

test('user agents by class; an unidentified program is a bot', () => {
  const cases: [string | undefined, string][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'desktop',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0', 'desktop'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'mobile',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'mobile',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'tablet',
    ],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bot'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', 'bot'],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'bot'],
    ['python-requests/2.32.0', 'bot'],
    ['', 'bot'],
    ['   ', 'bot'],
    [undefined, 'bot'],
  ]
  for (const [agent, kind] of cases) {
    assert.equal(readUserAgent(agent).class, kind, agent)
    assert.equal(readUserAgent(agent).isBot, kind === 'bot', agent)
  }
})

test('only host and path of referrer and page are stored', () => {
  assert.equal(hostIn('https://Blog.Example.org/post?token=1'), 'blog.example.org')
  assert.equal(hostIn('blog.example.org'), 'blog.example.org')
  assert.equal(hostIn('https://blog.example.org./post'), 'blog.example.org')
  for (const none of [null, undefined, '', 'javascript:alert(1)', 'not a host', '://']) assert.equal(hostIn(none), null)
  assert.equal(toPath('https://shop.example.com/a/b?email=x'), '/a/b')
  assert.equal(toPath('nonsense'), null)
  assert.equal(toPath(`https://shop.example.com/${'x'.repeat(2000)}`)?.length, 500)
})
