import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Account, getAccount } from '#contract/accounts.ts'
import { languageName, nativeName } from '#contract/language.ts'
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
import { Tabs } from '../ui/Tabs.tsx'
import { showToast } from '../ui/toasts.ts'
import { accountLanguageWords } from '../words/account-languages.ts'
import { announcementWords as words } from '../words/announcements.ts'
import { Prose } from './Prose.tsx'
import { TextTabs, type TypedTexts, withoutEmptyTexts } from './TextTabs.tsx'

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

const Draft = NewAnnouncement.pick({ subject: true, body: true, translations: true })
type Text = { subject: string; body: string }
type Typed = Text & { translations?: Partial<Record<string, Text | null>> | undefined }
type Counted = { typed: Typed; count: number; mails: number; languages: Record<string, number> }

const filterFor = (of: Announced): AnnouncementFilter | undefined =>
  'ids' in of ? { ids: of.ids } : of.list && filterOf(of.list)

/** Writes an announcement, shows the note as partners will read it, and sends it. */
export function Announce({ of, onClose }: ActProps<Announced>) {
  const { accountId } = of
  const account = {
    language: 'en',
    pageLanguages: [],
    ...useQuery(apiQuery(getAccount, { params: { id: accountId } })).data,
  }
  const [chosen, choose] = useState<string>()
  const language = chosen ?? account.language
  const [counted, setCounted] = useState<Counted | null>(null)
  const form = useContractForm(Draft, {
    initial: { subject: '', body: '', translations: {} as TypedTexts<'subject' | 'body'> },
    complete: withoutEmptyTexts,
  })
  const list = 'ids' in of ? undefined : of.list
  const active = useQuery({ ...activeOf(accountId, list ?? {}), enabled: !('ids' in of) }).data
  const readers = 'ids' in of ? of.ids.length : active
  const say = 'ids' in of ? words.toChosen : list && Object.keys(filterOf(list)).length > 0 ? words.toList : words.toAll
  const preview = useCall(sendAnnouncement, {
    onSuccess(reply, { body }) {
      if (!('page' in reply)) return
      const { subject, body: text, translations } = body
      const { count, mails, languages } = reply
      setCounted({ typed: { subject, body: text, translations }, count, mails, languages })
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
    const { typed, count, mails, languages } = counted
    const { [account.language]: _, ...others } = languages
    const edit = () => {
      send.reset()
      setCounted(null)
    }
    return (
      <Dialog wide heading={words.preview} onClose={edit} busy={send.busy}>
        {send.error && <Message kind="error">{explainRefusal(send.error)}</Message>}
        <Notes typed={typed} account={account} />
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
              {Object.keys(others).length > 0
                ? words.sendIn({ count, languages: inLanguages(others) })
                : words.send({ count })}
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
          {typeof readers === 'number' && `${say({ count: readers })} `}
          {words.activeOnly}
        </p>
      }
      submit={words.preview}
      form={form}
      save={preview}
      onSubmit={(typed) => preview.mutate(input(typed, true))}
      onClose={onClose}
    >
      <TextTabs account={account} form={form} current={language} onChoose={choose}>
        {(text) => (
          <>
            <TextField {...text('subject', words.subject, '')} autoComplete="off" />
            <TextAreaField {...text('body', words.message, '')} help={words.messageHelp} rows={8} />
          </>
        )}
      </TextTabs>
    </FormDialog>
  )
}

/** As a partner without a first name reads it. */
const filled = ({ subject, body }: Text): Text => {
  const values = { firstName: 'there' }
  return { subject: fillPlaceholders(subject, values), body: fillPlaceholders(body, values) }
}

/** How many partners read each language: '12 in German, 3 in French'. */
const inLanguages = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([language, count]) => words.inLanguage({ count, language: languageName(language) }))
    .join(', ')

/** The note in each of its languages. */
function Notes({ typed, account }: { typed: Typed; account: Pick<Account, 'language'> }) {
  const { translations = {} } = typed
  const texts = new Map<string, Text>([[account.language, typed]])
  for (const [language, text] of Object.entries(translations)) if (text) texts.set(language, text)
  const languages = [...texts.keys()]
  const [shown, show] = useState(account.language)
  const note = <Note lang={shown} {...filled(texts.get(shown) ?? typed)} />
  if (languages.length === 1) return note
  return (
    <Tabs
      label={accountLanguageWords.texts}
      tabs={languages.map((key) => ({ key, label: nativeName(key), lang: key }))}
      current={shown}
      onChoose={show}
    >
      {note}
    </Tabs>
  )
}

const Note = ({ lang, subject, body }: Text & { lang: string }) => (
  <section lang={lang} aria-label={subject} className="panel stack gap-2 inset-all">
    <h3 className="wrap">{subject}</h3>
    <Prose text={body} />
  </section>
)
