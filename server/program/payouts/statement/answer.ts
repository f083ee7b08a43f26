import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Language, withLanguage } from '#contract/language.ts'
import { getPayoutStatement, type Paper, type PayoutStatement } from '#contract/payouts.ts'
import type { CommissionEntryWithSale } from '#contract/sales.ts'
import { statementFileName } from '#contract/statement.ts'
import type { Queryable } from '../../../platform/database/pool.ts'
import { mediaFor } from '../../../platform/http/accept.ts'
import { HttpReply } from '../../../platform/http/reply.ts'
import { contentSecurityPolicy } from '../../../platform/http/security-headers.ts'
import type { Install } from '../../../platform/services.ts'
import type { Access } from '../../access/access.ts'
import type { FieldReader } from '../../access/visible-fields.ts'
import { portalUrl } from '../../custom-domains/portal-url.ts'
import { paperStyle, renderPage } from './page.ts'
import { entriesFrom, readStatement } from './statement.ts'
import { canPrint, type Line, type Printed, printedStatement, statementLine } from './words.ts'

const offered = [...getPayoutStatement.alsoAs!, 'application/json']

/** Returns the policy of a page without scripts or external resources, styled only by its own sheet. */
const policyOf = (style: string) =>
  contentSecurityPolicy({
    'script-src': null,
    'connect-src': null,
    'font-src': null,
    'img-src': null,
    'style-src': `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    'form-action': "'none'",
  })

/** Returns the statement in the requested form: a page, a PDF, or its head without the entries as JSON. */
export async function answerStatement(
  db: Queryable,
  { secrets, config }: Install,
  { access, reader }: { access: Access; reader: FieldReader },
  { accept, paper, language: asked }: { accept: string | undefined; paper: Paper | undefined; language: Language },
): Promise<PayoutStatement | HttpReply> {
  const media = mediaFor(accept, offered)
  // the team's screens are in English
  const wanted = access.as === 'partner' ? asked : 'en'
  const language = media !== 'application/pdf' || canPrint(wanted) ? wanted : 'en'
  const inLanguage = { ...access, language }
  const statement = await readStatement(db, secrets, inLanguage, reader)
  if (media === 'application/json') return statement
  const { payout, timeZone } = statement
  const origin = portalUrl(config, access.account)
  const entries = await begun(entriesFrom(db, inLanguage, reader))
  const lines = linesOf(entries, { timeZone, origin, language })
  const file = { name: statementFileName(payout), currency: payout.currency, media, paper }
  return answerPrinted(
    withLanguage(language, () => printedStatement(statement)),
    lines,
    file,
  )
}

async function* linesOf(
  entries: AsyncIterable<CommissionEntryWithSale[]>,
  { language, ...how }: Parameters<typeof statementLine>[1] & { language: Language },
) {
  for await (const some of entries) yield withLanguage(language, () => some.map((entry) => statementLine(entry, how)))
}

type AsFile = { name: string; currency: string; media: string; paper: Paper | undefined }

/** Returns a document as a page or a PDF, whose sheets are those of the currency by default. */
export async function answerPrinted(
  printed: Printed,
  lines: AsyncIterable<Line[]>,
  { name, currency, media, paper }: AsFile,
): Promise<HttpReply> {
  const inLanguage = { 'content-language': printed.frame.language, vary: 'accept, accept-language' }
  if (media === 'text/html')
    return new HttpReply(200, Readable.from(renderPage(printed, lines), { objectMode: false }), {
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': `inline; filename="${name}.html"`,
      'content-security-policy': policyOf(paperStyle(printed.frame)),
      ...inLanguage,
    })
  const pieces = pdfPieces(printed, lines, { currency, paper })
  return new HttpReply(200, Readable.from(pieces, { objectMode: false }), {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${name}.pdf"`,
    ...inLanguage,
  })
}

/** Yields a document as a PDF, whose sheets are those of the currency by default. */
export async function* pdfPieces(
  printed: Printed,
  lines: AsyncIterable<Line[]>,
  { currency, paper }: { currency: string; paper?: Paper | undefined },
) {
  // loaded on demand: it takes a tenth of a second and sixty megabytes
  const { renderPdf } = await import('./pdf.ts')
  yield* renderPdf(printed, lines, paper ?? (currency === 'usd' ? 'letter' : 'a4'))
}

/** Reads the first part ahead: an error there is refused in words, before the answer begins. */
async function begun<T>(parts: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await parts.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* parts
  })()
}
