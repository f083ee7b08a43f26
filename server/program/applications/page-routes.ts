import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Language, withLanguage } from '#contract/language.ts'
import { plainCode } from '#contract/values.ts'
import { transaction } from '../../platform/database/pool.ts'
import { minutesInWords } from '../../platform/format-values.ts'
import { acceptedEncodings } from '../../platform/http/encodings.ts'
import { type NamedLimit, UNKNOWN } from '../../platform/http/limits.ts'
import { isForeign } from '../../platform/http/request-domain.ts'
import { contentSecurityPolicy } from '../../platform/http/security-headers.ts'
import { preferredLanguage } from '../../platform/languages.ts'
import { Refusal, refusal } from '../../platform/refusal.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { App } from '../access/route.ts'
import { versionIn, wholeVersion } from '../agreement/versions.ts'
import { mailLeaves } from '../auth/invitations.ts'
import { waitUntilAllowed } from '../auth/sign-in-attempts.ts'
import { isCode } from '../clicks/attribution.ts'
import { readReferral } from '../clicks/read-referral.ts'
import { portalUrl } from '../custom-domains/portal-url.ts'
import { postApplication } from './apply.ts'
import { issueForm, longEnoughAgo, problemOfIssue, readForm } from './form.ts'
import { agreementPage, noPage, type PageRequest, programPage, thanksPage, waitPage } from './page.ts'
import { languageOfCode, type PageAddress, type PageFacts } from './page-facts.ts'
import { createPageMap } from './page-map.ts'
import { pageStyle } from './page-style.ts'
import { pagePhrases } from './page-text.ts'
import { areFull } from './queries.ts'
import { MOST_WAITING } from './receive.ts'

export const PAGES: NamedLimit = { name: 'program-page', perMinute: 120, by: 'network' }
export const POSTS: NamedLimit = { name: 'application', perMinute: 5, by: 'network' }
/** Posts to one account an hour, from all networks. */
const OF_ACCOUNT = { most: 300, within: 3_600_000 }
/** Room for every answer, percent-encoded. */
const MAX_BYTES = 128_000
const SLUG = /^[a-z0-9-]{3,40}$/
const CODE = /^[a-z]{2}$/
/** Asked for again at each visit: only what changed is sent. */
const CACHED = 'no-cache'
/** The place of the signed time, put in as a page leaves; no text contains this character. */
const ISSUED = '\0'

/** These pages run no scripts and load only the logo, the cover and our font; auditing tools may read our robots.txt. */
const policyOf = (accent: string | null) =>
  contentSecurityPolicy({
    'script-src': null,
    'require-trusted-types-for': null,
    'font-src': "'self'",
    'img-src': "'self'",
    'style-src': `'sha256-${pageStyle(accent).hash}'`,
  })

const compress = promisify(brotliCompress)
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

type Request = FastifyRequest<{
  Params: { slug: string; joinSlug?: string; code?: string }
  Querystring: Record<string, unknown>
  Body: string
}>

/** A program's page, a group's, and those in another language, whose two letters no slug has. */
const ADDRESSES = ['/join/:slug', '/join/:slug/:joinSlug', '/join/:slug/:joinSlug/:code']

/** Returns the page that an address means; undefined for one that no page has. */
function readAddress({ slug, joinSlug, code }: Request['params']): PageAddress | undefined {
  const address =
    code === undefined && joinSlug !== undefined && CODE.test(joinSlug)
      ? { slug, code: joinSlug }
      : { slug, joinSlug, code }
  const isOne =
    [slug, address.joinSlug ?? slug].every((one) => SLUG.test(one)) &&
    (address.code === undefined || CODE.test(address.code))
  return isOne ? address : undefined
}

/** Returns the language of a page about which nothing else is known: that of its address, else the reader's. */
const languageFor = ({ params, headers }: Request): Language =>
  languageOfCode(readAddress(params)?.code) ?? preferredLanguage(headers['accept-language'])

/**
 * `/join/{slug}` and `/join/{slug}/{joinSlug}`: the public pages of a program and its groups, and their forms. Served
 * from memory, so that strangers cost the database little; the response to a form reveals nothing about its e-mail.
 */
export function pageRoutes({ fastify, services, limits }: App) {
  const { config, secrets, db, clock } = services
  const pages = createPageMap(db)
  fastify.addHook('onReady', () => pages.ready)
  fastify.addHook('onClose', () => pages.close())

  /** At an account's own host only its own pages are found. */
  const find = async ({ params, ownHost }: Request) => {
    const address = readAddress(params)
    const facts = address && ((await pages.find(address)) ?? (await findBase(address)))
    return isForeign(ownHost, facts?.account.id) ? undefined : facts
  }
  /** A language that a page has no more leads to the page in the account's. */
  const findBase = async ({ code, ...address }: PageAddress) =>
    languageOfCode(code) === undefined ? undefined : pages.find(address)
  const originOf = ({ account }: PageFacts) => portalUrl(config, account)
  const missing = (request: Request, reply: FastifyReply) => {
    limits.check(reply, UNKNOWN, request.ip)
    return html(request, reply.code(404), withLanguage(languageFor(request), noPage))
  }
  const isMoved = ({ path }: PageFacts, { slug, joinSlug, code }: Request['params']) =>
    path !== ['/join', slug, joinSlug, code].filter(Boolean).join('/')
  const moved = (request: Request, reply: FastifyReply, address: string, code: number) =>
    reply
      .code(code)
      .header('location', request.url.replace(/^[^?]*/, address))
      .send()
  const formOf = ({ account, program, agreement, agreementLanguage }: PageFacts) => ({
    accountId: account.id,
    questions: program.questions,
    agreement,
    agreementLanguage,
  })

  const askedOf = async (facts: PageFacts, code: unknown, issued: string): Promise<PageRequest> => ({
    origin: originOf(facts),
    today: dayIn(facts.account.timeZone, clock.now()),
    issued,
    by: await recruiter(facts, code),
  })
  const issuedAt = (facts: PageFacts, at: number) => issueForm(secrets, formOf(facts), at)

  /** The partner who is named as the one who invites: only while partners may, and the partner is active. */
  async function recruiter({ account, program }: PageFacts, given: unknown): Promise<PageRequest['by']> {
    if (typeof given !== 'string' || !account.invitationsFromPartners || program.state !== 'open') return undefined
    const { codes } = await readReferral(db, account.id, given, true)
    const [found] = await db.many<{ code: string; firstName: string | null }>`
      select c.code, p.first_name from referral_codes c join partners p on p.account_id = c.account_id and p.id = c.partner_id
      where c.account_id = ${account.id} and c.code = any(${codes.map(plainCode).filter(isCode)}::text[]) and p.state = 'active'`
    return found
  }

  /** The page without parameters and its signed time, built once a day. */
  const plainPages = new WeakMap<PageFacts, { today: string; page: Page }>()

  async function shownPage(facts: PageFacts, { by, amount }: Request['query']): Promise<Page> {
    const now = clock.now()
    const today = dayIn(facts.account.timeZone, now)
    const isPlain = by === undefined && amount === undefined
    const known = isPlain ? plainPages.get(facts) : undefined
    const page =
      known?.today === today
        ? known.page
        : aPage(
            programPage(facts, {
              ...(await askedOf(facts, by, ISSUED)),
              amount: typeof amount === 'string' ? amount : undefined,
            }),
          )
    if (isPlain) plainPages.set(facts, { today, page })
    return { ...page, issued: issuedAt(facts, now.getTime()) }
  }

  fastify.register(async (corner) => {
    corner.removeAllContentTypeParsers()
    corner.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    )

    const shows = (
      below: string,
      pageOf: (facts: PageFacts, request: Request) => Shown | null | Promise<Shown | null>,
    ) =>
      ADDRESSES.forEach((address) => {
        corner.route({
          method: ['GET', 'HEAD'],
          url: address + below,
          config: { policy: 'public', limit: PAGES },
          async handler(request: Request, reply) {
            const facts = await find(request)
            if (!facts) return missing(request, reply)
            if (isMoved(facts, request.params)) return moved(request, reply, facts.path + below, 301)
            const page = await pageOf(facts, request)
            return page === null
              ? missing(request, reply)
              : html(request, reply, page, { caching: CACHED, ...facts.look })
          },
        })
      })

    shows('', (facts, { query }) => shownPage(facts, query))
    shows('/thanks', (facts) => thanksPage(facts, { origin: originOf(facts), byMail: mailLeaves(services) }))
    shows('/agreement', async (facts, { query: { version: given } }) => {
      const version = given === undefined ? facts.agreement : versionIn(String(given))
      const shown = version && (await wholeVersion(db, facts.account.id, version))
      return shown ? agreementPage(facts, shown, originOf(facts)) : null
    })

    /** A refused post costs almost nothing: its form, the page and the database are not read for it. */
    const refuseFlood = (request: Request, reply: FastifyReply, error: unknown) =>
      html(
        request,
        reply.code(429),
        withLanguage(languageFor(request), () => waitPage(waitOf(reply, error))),
      )

    const answerForm = async (request: Request, reply: FastifyReply) => {
      const facts = await find(request)
      if (!facts) return missing(request, reply)
      if (isMoved(facts, request.params)) return moved(request, reply, facts.path, 307)
      const { program, account } = facts
      const typed = Object.fromEntries(new URLSearchParams(request.body ?? ''))
      const now = clock.now().getTime()
      const inPageLanguage = (words: () => string) => withLanguage(facts.language, words)
      const again = async (status: number, more: Partial<PageRequest>, at = longEnoughAgo(now)) =>
        html(
          request,
          reply.code(status),
          programPage(facts, { ...(await askedOf(facts, typed.by, issuedAt(facts, at))), typed, ...more }),
          facts.look,
        )
      try {
        limits.check(reply, POSTS, request.ip)
      } catch (error) {
        return refuseFlood(request, reply, error)
      }
      if (program.state !== 'open' || facts.group?.reward || (await areFull(db, account.id, MOST_WAITING)))
        return html(
          request,
          reply.code(409),
          programPage({ ...facts, isFull: true }, await askedOf(facts, '', issuedAt(facts, now))),
          facts.look,
        )
      const issue = { now, unhurried: config.rateLimitFactor > 0 }
      const problem = problemOfIssue(secrets, formOf(facts), typed.issued ?? '', issue)
      if (problem === 'changed') return again(422, { notice: inPageLanguage(() => pagePhrases.form.changed) })
      // a form sent too fast becomes old enough if it is sent again
      if (problem)
        return again(
          422,
          { notice: inPageLanguage(() => pagePhrases.form.again) },
          problem === 'too-fast' ? now : undefined,
        )
      const read = withLanguage(facts.language, () => readForm(formOf(facts), typed))
      if ('wrong' in read) return again(422, { wrong: read.wrong })
      const by = (await recruiter(facts, typed.by))?.code ?? null
      const waitS = await transaction(db, async (tx) => {
        const waitS = await waitUntilAllowed(tx, services, ['applications', account.id], OF_ACCOUNT)
        const given = {
          ...read.filled,
          by,
          agreement: facts.agreement,
          agreementLanguage: facts.agreementLanguage,
          groupId: facts.group?.id ?? null,
          language: facts.language,
          automatic: Boolean(typed.fax),
          address: request.ip,
        }
        if (waitS === 0) await postApplication(tx, services, account, given)
        return waitS
      })
      if (waitS === 0) return reply.code(303).header('location', `${facts.path}/thanks`).send()
      const tooMany = refusal('too_many_calls', { wait: () => minutesInWords(waitS) }, { retryAfter: waitS })
      return again(429, { notice: inPageLanguage(() => waitOf(reply, tooMany)) })
    }
    for (const url of ADDRESSES)
      corner.route({
        method: 'POST',
        url,
        bodyLimit: MAX_BYTES,
        config: { policy: 'public', limit: POSTS, countsItself: true },
        async onRequest(request: Request, reply) {
          try {
            // counted by the handler alone: a former address leads to another post
            limits.refuseSpent(reply, POSTS, request.ip)
          } catch (error) {
            return refuseFlood(request, reply, error)
          }
        },
        handler: answerForm,
      })
  })

  /**
   * Shows the account's page at the root of its own host, or leads to the sign-in while it has none. Returns undefined at
   * any other host.
   */
  async function showAtRoot(request: FastifyRequest, reply: FastifyReply) {
    const { ownHost } = request
    if (!ownHost) return undefined
    const slug = await pages.slugOf(ownHost.accountId)
    const facts = slug && (await pages.find({ slug }))
    if (!facts) return reply.code(302).header('location', '/auth/sign-in').send()
    const page = await shownPage(facts, request.query as Request['query'])
    return html(request, reply, page, { caching: CACHED, ...facts.look })
  }
  return { showAtRoot }
}

/** Returns when to try again, in words of the current language, and sets the header. */
function waitOf(reply: FastifyReply, error: unknown): string {
  if (!(error instanceof Refusal) || error.retryAfter === undefined) throw error
  reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfter))))
  return error.inWords().message
}

/** `issued`: the signed time for its form, which its tag leaves out. */
type Page = { text: string; etag: string; issued?: string }
type Shown = string | Page

const aPage = (text: string): Page => ({
  text,
  etag: `W/"${createHash('sha1').update(text).digest('base64url')}"`,
})

type How = { caching?: string; accent?: string | null }

async function html(
  request: FastifyRequest,
  reply: FastifyReply,
  given: Shown,
  { caching = 'no-store', accent = null }: How = {},
) {
  const page = typeof given === 'string' ? aPage(given) : given
  reply.headers({ 'content-security-policy': policyOf(accent), 'cache-control': caching, vary: 'accept-encoding' })
  if (caching !== 'no-store') {
    reply.header('etag', page.etag)
    if (request.headers['if-none-match']?.split(/,\s*/).includes(page.etag)) return reply.code(304).send()
  }
  reply.type('text/html; charset=utf-8')
  if (request.method === 'HEAD') return reply.send(null)
  const text = page.issued === undefined ? page.text : page.text.replace(ISSUED, page.issued)
  if (!acceptedEncodings(request.headers['accept-encoding']).includes('br')) return reply.send(text)
  return reply.header('content-encoding', 'br').send(await compress(text, BROTLI))
}
