/** Random numbers from 0 up to 1, the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** Texts of about this length that take quadratic time in careless normalising or matching. */
export const costlyTexts = (length: number): Record<string, string> => ({
  'marks in the wrong order': `a${'\u0315'.repeat(length / 2)}${'\u0316'.repeat(length / 2)}`,
  'marks on every letter': repeated('e\u0301\u0327\u0316', length),
  letters: 'a'.repeat(length),
  'letters between numbers': `1${'a'.repeat(length)}1`,
  zeros: `0.${'0'.repeat(length)}1`,
  dots: `a@${'.'.repeat(length)}@`,
  'labels without an end': `${repeated('a.', length)}!`,
  hyphens: `a${'-'.repeat(length)}!`,
  spaces: `a${' '.repeat(length)}a`,
  'lines without an end': `a${repeated('\r\n\t', length)}a`,
  digits: `${'9'.repeat(length)}x`,
  slashes: `https://a.example/${'/'.repeat(length)}\\`,
  brackets: '['.repeat(length),
  quotes: repeated('\\"', length),
  'angle brackets': '<'.repeat(length),
  commas: ','.repeat(length),
  percents: repeated('%2', length),
})

/** Values as JSON text that replace a valid value of a call. */
export const hostileValues: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[1]]',
  '""',
  '" "',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e400',
  '9007199254740993',
  '1000000000001',
  '"1"',
  '"NaN"',
  '"Infinity"',
  '"2026-02-30"',
  '"0000-00-00"',
  '"not-an-id"',
  '"01900000-0000-7000-8000-000000000000"',
  '"__proto__"',
  '"constructor"',
  '"a\\u0000b"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202egro.elpmaxe\\u202c"',
  '"👩‍👩‍👧‍👦🏳️‍🌈"',
  '"\'; drop table accounts; --"',
  '"%_\\\\"',
  '"<script>alert(1)</script>"',
  '"javascript:alert(1)"',
  '"https://user:secret@shop.example/"',
  '"=cmd|\' /C calc\'!A0"',
  '"line\\r\\nbreak: yes"',
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(`${'a'.repeat(300)}@mail.example`),
  `[${Array(101).fill('"x"').join(',')}]`,
  '{"toString":1,"hasOwnProperty":2}',
  nested(50),
  JSON.stringify(costlyTexts(100_000)['marks in the wrong order']),
]

type RawBody = { what: string; type?: string; body: string | Uint8Array<ArrayBuffer> | undefined; status?: number }

/** Whole bodies, sent byte by byte as they are; `status` if there is only one right answer. */
export const hostileBodies: readonly RawBody[] = [
  { what: 'nothing at all', body: undefined },
  { what: 'an empty text', body: '' },
  { what: 'null', body: 'null' },
  { what: 'true', body: 'true' },
  { what: 'a number', body: '-0' },
  { what: 'a text', body: '"text"' },
  { what: 'an empty list', body: '[]' },
  { what: 'a list in a list', body: '[[[]]]' },
  { what: '__proto__', body: '{"__proto__":{"isAdmin":true}}', status: 400 },
  { what: 'constructor.prototype', body: '{"constructor":{"prototype":{"isAdmin":true}}}', status: 400 },
  { what: 'nested 50 deep', body: nested(50), status: 400 },
  { what: 'nested 5,000 deep', body: '['.repeat(5000) + ']'.repeat(5000), status: 400 },
  { what: 'cut off', body: '{"name":"cut', status: 400 },
  { what: 'two values', body: '{}{}', status: 400 },
  { what: 'a comment', body: '{/* here */}', status: 400 },
  { what: 'NaN', body: '{"amount":NaN}', status: 400 },
  { what: 'invalid UTF-8', body: new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]), status: 400 },
  { what: 'UTF-16', body: new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]), status: 400 },
  { what: 'text', type: 'text/plain', body: '{}', status: 415 },
  { what: 'a form', type: 'application/x-www-form-urlencoded', body: 'a=1', status: 415 },
  { what: 'parts', type: 'multipart/form-data; boundary=x', body: '--x--', status: 415 },
  { what: 'an unknown kind', type: 'application/xml', body: '<a/>', status: 415 },
  { what: 'keys of every kind', body: '{"":1,"a.b":2,"$where":3,"\\u0000":4,"toString":5}' },
]

/** Query strings for lists, without the question mark; each is refused. */
export const wrongQueries: readonly string[] = [
  'limit=0',
  'limit=101',
  'limit=abc',
  'limit=-1',
  'limit=1.5',
  'limit=1e9',
  'limit=5&limit=6',
  'limit[]=5',
  'cursor=garbage',
  'cursor=',
  'cursor=%00',
  `cursor=${'A'.repeat(1001)}`,
  `cursor=${Buffer.from('["-createdAt","2026-99-99","x"]').toString('base64url')}`,
  `cursor=${Buffer.from('["-createdAt",{"a":1},[]]').toString('base64url')}`,
  `cursor=${Buffer.from('["-createdAt","infinity","01900000-0000-7000-8000-000000000000"]').toString('base64url')}`,
  `cursor=${Buffer.from('[null]').toString('base64url')}`,
  'cursor=a&cursor=b',
  'sort=unknown',
  'sort=--createdAt',
  'sort=createdAt;drop',
  'sort=',
  'sort=__proto__',
  'sort=createdAt&sort=name',
  'search=%00',
  `search=${'x'.repeat(201)}`,
  'search=a&search=b',
  'unknown=1',
  '__proto__=1',
  'constructor=1',
]

/** Values of a filter; whether one is refused or finds nothing depends on the filter. */
export const hostileFilters: readonly string[] = [
  '',
  ',',
  'none,none',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '-271821-04-20',
  'infinity',
  'not-a-value',
  "' or 1=1 --",
  '%00',
  '%F0%9F%92%A9',
  'x'.repeat(3000),
  'TRUE',
  '1',
]

/** Path ids that name nothing, as written in the address. */
export const wrongIds: readonly string[] = [
  'not-an-id',
  '0',
  '-1',
  'null',
  'me',
  '%00',
  '%2e%2e%2f%2e%2e',
  '..%2f',
  '%F0%9F%92%A9',
  '%27%20or%201=1--',
  '01900000-0000-7000-8000-00000000000',
  '{01900000-0000-7000-8000-000000000000}',
  '01900000-0000-7000-8000-000000000000%20',
  'x'.repeat(65),
  'x'.repeat(499),
  'x'.repeat(501),
  '%',
  '%ff',
  '%C0%AE',
]

/** Bodies of many small parts, up to `bytes` long as far as that kind of part allows. */
export function wideBodies(bytes: number): [string, string][] {
  const fields = (count: number, name = 'k') => Array.from({ length: count }, (_, at) => `"${name}${at}":1`).join(',')
  const many = Math.floor(bytes / 11)
  return [
    ['unknown fields', `{${fields(many)}}`],
    ['unknown fields in one', `{"metadata":{${fields(many - 2)}},"preferences":{}}`],
    ['ones', `[${Array(Math.floor(bytes / 2) - 2).fill(1)}]`],
    ['lists', `[${Array(Math.floor(bytes / 3) - 2).fill('[]')}]`],
    ['ones in a field', `{"ids":[${Array(Math.floor(bytes / 2) - 10).fill(1)}]}`],
    ['long names', `{${fields(400, 'x'.repeat(Math.max(1, Math.floor(bytes / 400) - 12)))}}`],
    ['one name', `{"${'x'.repeat(bytes - 10)}":1}`],
    ['as many as any call takes', `{${fields(450)}}`],
    ['rows', `[${Array(100).fill(`{${fields(50, 'column')}}`)}]`],
    [
      'rows of long names',
      `[${Array(100).fill(`{${fields(20, 'x'.repeat(Math.max(1, Math.floor(bytes / 2000) - 12)))}}`)}]`,
    ],
  ]
}
