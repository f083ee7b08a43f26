import { type TermsWording, termsInWords, type WholeTerms } from '#contract/terms-in-words.ts'
import { type Column, PlainTable } from '../ui/PlainTable.tsx'
import { termsWords } from '../words/terms.ts'
import { wordingIn } from './terms.ts'

type Props = {
  terms: WholeTerms
  currency: string
  reader?: TermsWording['reader']
  /** Above the sentences. */
  note?: string
}

type Line = { key: number; what: string; pays: string }

const columns: Column<Line>[] = [
  { head: termsWords.columns.rule, cell: ({ what }) => <span className="wrap plain">{what}</span> },
  { head: termsWords.columns.pays, numeric: true, cell: ({ pays }) => <strong>{pays}</strong> },
]

/** Terms in sentences, one per line. */
export function TermsSentences({ terms, currency, reader, note }: Props) {
  const { lines, caps } = termsInWords(terms, wordingIn(currency, reader))
  return (
    <div className="stack gap-2">
      {note && <p className="muted small">{note}</p>}
      <div className="outset">
        <PlainTable
          label={termsWords.label}
          columns={columns}
          rows={lines.map((line, key) => ({ ...line, key }))}
          keyOf={({ key }) => String(key)}
        />
      </div>
      {caps.map((cap) => (
        <p key={cap}>{cap}</p>
      ))}
    </div>
  )
}
