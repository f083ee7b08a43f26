import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Terms, TermsVersion } from '#contract/terms.ts'
import { formatDateAt } from '../format.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { Pending } from '../ui/Pending.tsx'
import { type Column, PlainTable } from '../ui/PlainTable.tsx'
import { basicWords } from '../words/basic.ts'
import { dialogWords } from '../words/pieces.ts'
import { termsWords } from '../words/terms.ts'
import { ShowMore } from './ShowMore.tsx'
import styles from './TermsHistory.module.css'
import { TermsSentences } from './TermsSentences.tsx'
import { getTermsChange, type TermsSubject, termsStateQuery, termsVersionsQuery } from './terms.ts'

type Props = {
  subject: TermsSubject
  account: { timeZone: string; defaultCurrency: string }
  /** Fills the form with the terms of a version. */
  onUse: (terms: Terms | null) => void
}

/** The saved version of terms, which opens their history; nothing if there never were any. */
export function SavedVersion(props: Props) {
  const { data } = useQuery(termsStateQuery(props.subject))
  const [open, setOpen] = useState(false)
  if (!data?.version || !data.savedAt) return null
  const given = { version: data.version, date: formatDateAt(data.savedAt, props.account.timeZone) }
  return (
    <div>
      <button type="button" aria-haspopup="dialog" className={`small ${styles.opens}`} onClick={() => setOpen(true)}>
        {data.savedBy ? termsWords.saved({ ...given, by: data.savedBy }) : termsWords.savedByNobody(given)}
      </button>
      {open && <History {...props} onClose={() => setOpen(false)} />}
    </div>
  )
}

function History({ subject, account, onUse, onClose }: Props & { onClose: () => void }) {
  const answer = useInfiniteQuery(termsVersionsQuery(subject))
  const [opened, setOpened] = useState<TermsVersion>()
  const versions = answer.data?.pages.flatMap(({ items }) => items)
  return (
    <Dialog wide="table" heading={termsWords.history} onClose={onClose}>
      {versions ? (
        <div className="outset">
          <PlainTable
            label={termsWords.history}
            rows={versions}
            keyOf={({ version }) => String(version)}
            columns={columnsOf(account.timeZone, setOpened)}
          />
          <ShowMore answer={answer}>{termsWords.earlier}</ShowMore>
        </div>
      ) : (
        <Pending answer={answer} rows={4} />
      )}
      {opened && (
        <Version
          of={opened}
          currency={account.defaultCurrency}
          subject={subject}
          onUse={() => {
            onUse(opened.terms)
            onClose()
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Dialog>
  )
}

const columnsOf = (timeZone: string, open: (version: TermsVersion) => void): Column<TermsVersion>[] => [
  {
    head: termsWords.columns.version,
    cell: (row) => (
      <button type="button" aria-haspopup="dialog" className={styles.opens} onClick={() => open(row)}>
        {termsWords.version(row)}
      </button>
    ),
  },
  {
    head: termsWords.columns.saved,
    cell: ({ savedAt }) => <span className="whole">{formatDateAt(savedAt, timeZone)}</span>,
  },
  { head: termsWords.columns.by, cell: ({ savedBy }) => savedBy ?? basicWords.absent, under: true },
  { head: termsWords.columns.appliesTo, cell: ({ appliesTo }) => termsWords.reached[appliesTo] },
  { head: termsWords.columns.note, cell: ({ note }) => note, under: true },
]

type VersionProps = {
  of: TermsVersion
  subject: TermsSubject
  currency: string
  onUse: () => void
  onClose: () => void
}

/** The sentences of a version. */
const Version = ({ of, subject, currency, onUse, onClose }: VersionProps) => (
  <Dialog wide heading={termsWords.version(of)} onClose={onClose}>
    {of.terms ? <TermsSentences terms={of.terms} currency={currency} /> : <p>{termsWords.usesAccount}</p>}
    <DialogActions>
      <Button look="primary" needs={getTermsChange(subject)} onClick={onUse}>
        {termsWords.useAgain}
      </Button>
      <Button onClick={onClose}>{dialogWords.close}</Button>
    </DialogActions>
  </Dialog>
)
