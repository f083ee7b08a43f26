import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listPartners } from '#contract/partners.ts'
import { fillPlaceholders } from '#contract/placeholders.ts'
import { type AnnouncementFilter, NewAnnouncement, sendAnnouncement } from '#features/announcements/contract.ts'
import { apiQuery, type SearchOf, useCall } from '../calls.ts'
import type { ActProps } from '../ui/actions.tsx'
import { Button } from '../ui/Button.tsx'
import { useContractForm } from '../ui/contract-form.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextAreaField, TextField } from '../ui/fields.tsx'
import { explainRefusal } from '../ui/form.tsx'
import { Message } from '../ui/Message.tsx'
import { showToast } from '../ui/toasts.ts'
import { announcementWords as words } from '../words/announcements.ts'
import { Prose } from './Prose.tsx'

type Partners = SearchOf<typeof listPartners>

/** To the active partners of a list, of those chosen there, or to all. */
export type Announced = { accountId: string; onSent?: () => void } & ({ list?: Partners } | { ids: string[] })

/**
 * The number of active partners of a list; none if it is narrowed to other states, unknown beyond those that lists
 * count.
 */
const activeOf = (accountId: string, { cursor: _, state, sort: __, ...list }: Partners) => ({
  ...apiQuery(listPartners, { params: { id: accountId }, query: { ...list, state: 'active', limit: 1 } }),
  select({ total }: { total: number }) {
    if (state && !String(state).split(',').includes('active')) return 0
    return total > 1000 ? null : total
  },
})

const many = (value: unknown) => (value === undefined ? undefined : String(value).split(','))

/** The filter of a list of partners in the form that an announcement accepts. */
function filterOf({
  state,
  groupId,
  groupKind,
  parentPartnerId,
  agreement,
  from,
  to,
  search,
}: Partners): AnnouncementFilter {
  const filter = {
    state: many(state),
    groupId: many(groupId),
    groupKind,
    parentPartnerId: many(parentPartnerId),
    agreement: many(agreement),
    from,
    to,
    search,
  }
  // names in the address are unchecked; the server validates them
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as AnnouncementFilter
}

const Draft = NewAnnouncement.pick({ subject: true, body: true })
type Typed = { subject: string; body: string }
type Counted = Typed & { count: number; mails: number }

const filterFor = (of: Announced): AnnouncementFilter | undefined =>
  'ids' in of ? { ids: of.ids } : of.list && filterOf(of.list)

/** Writes an announcement, shows the note as partners will read it, and sends it. */
export function Announce({ of, onClose }: ActProps<Announced>) {
  const { accountId } = of
  const [counted, setCounted] = useState<Counted | null>(null)
  const form = useContractForm(Draft, { initial: { subject: '', body: '' } })
  const list = 'ids' in of ? undefined : of.list
  const active = useQuery({ ...activeOf(accountId, list ?? {}), enabled: !('ids' in of) }).data
  const chosen = 'ids' in of ? of.ids.length : active
  const say = 'ids' in of ? words.toChosen : list && Object.keys(filterOf(list)).length > 0 ? words.toList : words.toAll
  const preview = useCall(sendAnnouncement, {
    onSuccess(reply, { body }) {
      if ('page' in reply)
        setCounted({ subject: body.subject, body: body.body, count: reply.count, mails: reply.mails })
    },
  })
  const filter = filterFor(of)
  const input = (typed: Typed, isPreview: boolean) => ({
    params: { id: accountId },
    body: { ...typed, ...(filter && { filter }), ...(isPreview && { preview: true }) },
  })
  const send = useCall(sendAnnouncement, {
    onSuccess(reply) {
      onClose()
      if ('recipients' in reply) showToast(words.sentTo({ count: reply.recipients }))
      of.onSent?.()
    },
  })
  if (counted) {
    const { count, mails, ...typed } = counted
    const edit = () => {
      send.reset()
      setCounted(null)
    }
    return (
      <Dialog wide heading={words.preview} onClose={edit} busy={send.busy}>
        {send.error && <Message kind="error">{explainRefusal(send.error)}</Message>}
        <Note {...filled(typed)} />
        {count === 0 ? (
          <Message kind="info">{words.noneActive}</Message>
        ) : (
          <p>
            {say({ count })} {words.mails({ count: mails })}
            {mails < count && ` ${words.turnedOff({ count: count - mails })}`}
          </p>
        )}
        <DialogActions>
          {count > 0 && (
            <Button look="primary" data-first-focus busy={send.busy} onClick={() => send.mutate(input(typed, false))}>
              {words.send({ count })}
            </Button>
          )}
          <Button disabled={send.busy} onClick={edit}>
            {words.edit}
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      wide
      long
      heading={words.add}
      why={
        <p className="muted">
          {typeof chosen === 'number' && `${say({ count: chosen })} `}
          {words.activeOnly}
        </p>
      }
      submit={words.preview}
      form={form}
      save={preview}
      onSubmit={(typed) => preview.mutate(input(typed, true))}
      onClose={onClose}
    >
      <TextField {...form.field('subject', words.subject)} autoComplete="off" />
      <TextAreaField {...form.field('body', words.message)} help={words.messageHelp} rows={8} />
    </FormDialog>
  )
}

/** As a partner without a first name reads it. */
const filled = ({ subject, body }: Typed): Typed => {
  const values = { firstName: 'there' }
  return { subject: fillPlaceholders(subject, values), body: fillPlaceholders(body, values) }
}

const Note = ({ subject, body }: Typed) => (
  <section aria-label={subject} className="panel stack gap-2 inset-all">
    <h3 className="wrap">{subject}</h3>
    <Prose text={body} />
  </section>
)
