import { type Answer, type Call, type Fields, startServer } from './server.ts'

/** A message as its readers see it: the text, and where its link leads. */
export type Shown = { text: string; url: string | undefined }
export type ChatService = 'slack' | 'teams' | 'discord'

const text = (status: number, body: string): Answer => ({ status, body, headers: { 'content-type': 'text/plain' } })
const asObject = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const asList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(asObject) : [])

/**
 * Slack's incoming webhooks: 200 `ok`, or 400 with a word. `&`, `<` and `>` in texts are control characters: only
 * links may use them, as any other sequence could mention people.
 */
function readSlack({ body, unreadable }: Call): Answer | Shown {
  if (unreadable) return text(400, 'invalid_payload')
  if (typeof body.text !== 'string' && !body.blocks) return text(400, 'no_text')
  const sections = asList(body.blocks).map(({ type, text }) => ({ type, ...asObject(text) }) as Fields)
  const isRight = sections.every(({ type, text }) => {
    const of = typeof text === 'string' ? text : ''
    return ['section', 'mrkdwn', 'plain_text'].includes(String(type)) && of.length > 0 && of.length <= 3000
  })
  if (!isRight) return text(400, 'invalid_blocks')
  const written = [body.text, ...sections.map((one) => one.text)].join('\n')
  const [, url] = /<(https?:[^|>]+)\|[^>]+>/.exec(written) ?? []
  const plain = written.replace(/<https?:[^|>]+\|([^>]+)>/g, '$1')
  if (/[<>]|&(?!amp;|lt;|gt;)/.test(plain)) throw new Error(`Slack would read a control character: ${plain}`)
  return { text: plain.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'), url }
}

/**
 * A flow that begins with 'When a Teams webhook request is received': answers 202 to any JSON, and runs afterwards. The
 * run fails, unseen by the caller, unless the body is a message with adaptive cards of less than 28 kB.
 */
function readTeams({ body, unreadable, raw }: Call): Answer | Shown {
  if (unreadable) return { status: 400, body: { error: { code: 'InvalidRequestContent' } } }
  const [attachment = {}] = asList(body.attachments)
  const card = asObject(attachment.content)
  const isCard =
    body.type === 'message' &&
    attachment.contentType === 'application/vnd.microsoft.card.adaptive' &&
    card.type === 'AdaptiveCard' &&
    typeof card.version === 'string' &&
    Buffer.byteLength(raw) < 28_000
  if (!isCard) return { status: 202 }
  const blocks = asList(card.body).map((block) => {
    if (block.type === 'TextBlock' && /[*_`[\]]/.test(String(block.text))) throw new Error('Teams would read Markdown')
    return block.type === 'TextBlock' ? block.text : asList(block.inlines).map((run) => run.text)
  })
  const link = asList(card.actions).find(({ type }) => type === 'Action.OpenUrl')
  return { text: blocks.flat().join('\n'), url: link && String(link.url) }
}

/** Discord's webhooks: 204, or 400 with a code; mentions and Markdown count unless they are escaped. */
function readDiscord({ body, unreadable }: Call): Answer | Shown {
  if (unreadable) return { status: 400, body: { message: 'The request body contains invalid JSON.', code: 50109 } }
  const { content, allowed_mentions: mentions } = body
  if (typeof content !== 'string' || content.trim() === '')
    return { status: 400, body: { message: 'Cannot send an empty message', code: 50006 } }
  if (content.length > 2000) {
    const _errors = [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be 2000 or fewer in length.' }]
    return { status: 400, body: { message: 'Invalid Form Body', code: 50035, errors: { content: { _errors } } } }
  }
  if (JSON.stringify(mentions) !== '{"parse":[]}') throw new Error('Discord would mention people')
  const [title = '', ...rest] = content.split('\n')
  const link = /^\[[^\]]+\]\(<(https?:[^>]+)>\)$/.exec(rest.at(-1) ?? '')
  const facts = (link ? rest.slice(0, -1) : rest).join('\n')
  const bare = facts.replace(/\\[^0-9A-Za-z\s]/g, '')
  if (/[\\*_~`|<>@#[\]]|https?:/.test(bare)) throw new Error(`Discord would read Markdown: ${facts}`)
  return { text: [title.replaceAll('**', ''), facts.replace(/\\([^0-9A-Za-z\s])/g, '$1')].join('\n'), url: link?.[1] }
}

const readers = { slack: readSlack, teams: readTeams, discord: readDiscord }
const accepted: Record<ChatService, Answer> = {
  slack: text(200, 'ok'),
  teams: { status: 202 },
  discord: { status: 204 },
}
const busy: Record<ChatService, (seconds: number) => Answer> = {
  slack: (seconds) => ({
    status: 429,
    headers: { 'retry-after': String(Math.ceil(seconds)) },
    body: { ok: false, error: 'rate_limited' },
  }),
  teams: (seconds) => ({
    status: 429,
    headers: { 'retry-after': String(Math.ceil(seconds)) },
    body: { error: { code: 'WorkflowTriggerIsThrottled' } },
  }),
  discord: (seconds) => ({
    status: 429,
    headers: { 'retry-after': String(seconds), 'x-ratelimit-reset-after': String(seconds) },
    body: { message: 'You are being rate limited.', retry_after: seconds, global: false },
  }),
}

/**
 * The incoming webhook of a chat service, which takes a message or refuses it as the service documents. `atMost`
 * messages are taken within `perMs`; the rest is told when to come again.
 */
export async function standInChat(service: ChatService, { atMost = Number.POSITIVE_INFINITY, perMs = 1000 } = {}) {
  const shown: Shown[] = []
  const wrong: string[] = []
  let taken: number[] = []
  const server = await startServer((call) => {
    taken = taken.filter((at) => at > call.at - perMs)
    if (taken.length >= atMost) return busy[service]((taken[0]! + perMs - call.at) / 1000)
    try {
      const read = readers[service](call)
      if ('status' in read) return read
      taken.push(call.at)
      shown.push(read)
      return accepted[service]
    } catch (error) {
      wrong.push((error as Error).message)
      return { status: 500 }
    }
  })
  return {
    ...server,
    /** The messages that people see, oldest first. */
    shown,
    /** Sequences that the service would take for more than text. */
    wrong,
  }
}
