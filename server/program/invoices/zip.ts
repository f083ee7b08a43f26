import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { downloadInvoiceFiles, MOST_ZIPPED_DAYS, MOST_ZIPPED_INVOICES } from '#contract/invoices.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { HttpReply } from '../../platform/http/reply.ts'
import { refusal, wrongField } from '../../platform/refusal.ts'
import { daysBetween } from '../../platform/time/days.ts'
import { type FileToPack, packZip } from '../../platform/zip.ts'
import { pdfPieces } from '../payouts/statement/answer.ts'
import { fileName, noEntries, printedInvoice, toPeppolXml } from './document.ts'
import { listNumbered, readDocument } from './present.ts'

type Range = { from: string; to: string }
type Numbered = { id: string; number: string; xml: boolean }
type ReadDocument = (id: string) => ReturnType<typeof readDocument>

/**
 * Returns a zip of the numbered documents that were issued on these days, each as a PDF and, if it can be had so, as XML.
 * Refuses: `range_backwards`; `too_many_days`; `too_many_documents`.
 */
export async function answerZip(db: Queryable, accountId: string, { from, to }: Range): Promise<HttpReply> {
  if (to < from) throw wrongField('to', 'range_backwards')
  if (daysBetween(from, to) >= MOST_ZIPPED_DAYS) throw wrongField('to', 'too_many_days', { max: MOST_ZIPPED_DAYS })
  const documents = await listNumbered(db, accountId, { from, to }, MOST_ZIPPED_INVOICES + 1)
  if (documents.length > MOST_ZIPPED_INVOICES) throw refusal('too_many_documents', { max: MOST_ZIPPED_INVOICES })
  // the stream's consumer handles errors itself
  const zip = new PassThrough().on('error', () => {})
  packZip(
    listFiles(documents, (id) => readDocument(db, accountId, id)),
    (packed) => pipeline(packed, zip),
  ).catch((error) => zip.destroy(error))
  return new HttpReply(200, zip, {
    'content-type': downloadInvoiceFiles.produces!,
    'content-disposition': `attachment; filename="invoices-${from}..${to}.zip"`,
  })
}

/** Returns the files of these documents; each document is read once it is packed. */
export function listFiles(documents: Numbered[], read: ReadDocument): FileToPack[] {
  const names = new Set<string>()
  return documents.flatMap(({ id, number, xml }, at) => {
    // A/1-2 and A-1-2 have one name
    const usual = fileName(number)
    const name = names.has(usual) ? `${usual} (${at + 1})` : usual
    names.add(name)
    return [
      { name: `${name}.pdf`, pieces: () => asPdf(read(id)) },
      ...(xml ? [{ name: `${name}.xml`, pieces: () => asXml(read(id)) }] : []),
    ]
  })
}

async function* asPdf(reading: ReturnType<ReadDocument>) {
  const { document, ...written } = await reading
  yield* pdfPieces(printedInvoice(document, written), noEntries(), document)
}

async function* asXml(reading: ReturnType<ReadDocument>) {
  const { document, ...written } = await reading
  yield Buffer.from(toPeppolXml(document, written))
}
