import { useQuery } from '@tanstack/react-query'
import { formatList } from '#contract/format.ts'
import { type ErasurePreview, eraseLead, erasePartner, exportLeadData, exportPartnerData } from '#contract/privacy.ts'
import { apiQuery } from '../calls.ts'
import { formatDate } from '../format.ts'
import { saveDownload } from '../lists/save-download.ts'
import { defineAction } from '../ui/act.tsx'
import { type Entry, exposeAction } from '../ui/actions.tsx'
import { Message } from '../ui/Message.tsx'
import { showToast } from '../ui/toasts.ts'
import { erasureWords } from '../words/erasure.ts'

type Named = { id: string; displayName: string; erasedAt: string | null }
type Kind = 'lead' | 'partner'

const calls = {
  lead: { erase: eraseLead, file: exportLeadData },
  partner: { erase: erasePartner, file: exportPartnerData },
} as const

const erasing = (kind: Kind) =>
  exposeAction(
    defineAction(calls[kind].erase, ({ id, displayName: name }: Named) => {
      const preview = useQuery({
        ...apiQuery(calls[kind].erase, { params: { id }, body: { preview: true } }),
        select: (reply) => reply as ErasurePreview,
      })
      return {
        heading: erasureWords.eraseHeading({ name }),
        submit: erasureWords.submit,
        done: erasureWords.done,
        send: { params: { id }, body: {} },
        why: <Consequences preview={preview.data} />,
      }
    }),
    { label: erasureWords.erase, when: ({ erasedAt }) => erasedAt === null, danger: true },
  )

const acts = { lead: erasing('lead'), partner: erasing('partner') }

function Consequences({ preview }: { preview: ErasurePreview | undefined }) {
  if (!preview) return <p>{erasureWords.stays}</p>
  const { counts, blockers, unaffected, recordsUntil, backupsUntil } = preview
  return (
    <div className="stack">
      {blockers.map((text) => (
        <Message key={text} kind="error">
          {text}
        </Message>
      ))}
      {Object.keys(counts).length > 0 && <p>{erasureWords.emptied({ what: inWords(counts) })}</p>}
      <p>{erasureWords.stays}</p>
      {unaffected.length > 0 && (
        <p>{erasureWords.unaffected({ names: unaffected.map(({ displayName }) => displayName).join(', ') })}</p>
      )}
      <p className="muted">
        {recordsUntil && `${erasureWords.records({ date: formatDate(recordsUntil) })} `}
        {backupsUntil && `${erasureWords.backups({ date: formatDate(backupsUntil) })} `}
        {erasureWords.elsewhere}
      </p>
    </div>
  )
}

/** Returns '1 lead, 4 sales and 2 other records'. */
function inWords(counts: ErasurePreview['counts']) {
  const named = new Map<keyof typeof erasureWords.counts, number>()
  for (const [table, count] of Object.entries(counts)) {
    const name = table in erasureWords.counts ? (table as keyof typeof erasureWords.counts) : 'other'
    named.set(name, (named.get(name) ?? 0) + count)
  }
  const shown = Object.keys(erasureWords.counts) as (keyof typeof erasureWords.counts)[]
  return formatList(
    shown.flatMap((name) => (named.has(name) ? erasureWords.counts[name]({ count: named.get(name)! }) : [])),
  )
}

/** The owner's actions on the person of a lead or partner. */
export const personActions = (kind: Kind, { id }: Named): Entry<Named>[] => [
  {
    label: erasureWords.download,
    needs: calls[kind].file,
    run: () =>
      void saveDownload(`person ${id}`, calls[kind].file, { params: { id } }, `person-${id}.json`).then(
        ({ failure }) => failure && showToast(failure.message, { failed: true }),
      ),
  },
  acts[kind],
]
