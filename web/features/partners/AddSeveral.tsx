import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { createPartners, listPartners, NewPartner, type Partner } from '#contract/partners.ts'
import type { RowError } from '#contract/values.ts'
import { CallError } from '../../api.ts'
import { read, useCall, useRefresh } from '../../calls.ts'
import type { CommissionValue } from '../../shared/CommissionFields.tsx'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { ZeroRatesWarning } from '../../shared/SetRates.tsx'
import { useOwnAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Form, FormActions, FormPanel, useContractForm } from '../../ui/contract-form.tsx'
import { copyText } from '../../ui/copy.ts'
import { CheckboxField, TextAreaField } from '../../ui/fields.tsx'
import { explainRefusal } from '../../ui/form.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { type Column, PlainTable } from '../../ui/PlainTable.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { toast } from '../../ui/toasts.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { useEach } from '../../ui/useEach.ts'
import { t } from '../../words.ts'
import { keepInterrupted, takeInterrupted } from './interrupted.ts'
import { CommissionPanel } from './PartnerFields.tsx'
import styles from './Partners.module.css'
import { codesFor, MOST_PEOPLE, type PersonLine, peopleIn, type Someone } from './people.ts'
import { invitation } from './queries.ts'

/** Fields that apply to all of them. */
const Common = NewPartner.pick({ parentPartnerId: true, commissionSettings: true, sendInvitation: true })

/** `kept`: there is no mail server, and the link may not be shown. */
type Added = {
  partner: Pick<Partner, 'id' | 'displayName' | 'email' | 'referralCode' | 'invitationStatus'>
  url: string | null
  kept: boolean
}

/** The limit of one call. */
const AT_ONCE = 100

/** Adds one partner per line, many per call: each takes effect once, and refused lines stay in the box. */
export function AddSeveral() {
  const account = useOwnAccount()
  const { params } = useAddress()
  const each = useEach()
  const refresh = useRefresh()
  const client = useQueryClient()
  const [added, setAdded] = useState<Added[]>([])
  const [interrupted] = useState(() => takeInterrupted(account.id))
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const create = useCall(createPartners, { oneOfMany: true })
  const initial = {
    people: '',
    parentPartnerId: typeof params.parent === 'string' ? params.parent : null,
    commissionSettings: null as CommissionValue,
    sendInvitation: true,
    ...interrupted?.values,
  }
  const form = useContractForm(Common, {
    initial,
    omit: ['people'],
    check: ({ people }) => ({
      people: readyIn(peopleIn(people)).length === 0 ? t('partners.several.empty') : undefined,
    }),
  })
  const lines = peopleIn(form.values.people)
  const ready = readyIn(lines)

  async function add(common: z.input<typeof Common>) {
    const now: Added[] = []
    const done = new Set<PersonLine>()
    const wrong = new Map<string, string>()
    // with a mail server all invitations are mailed, and no link needs passing on
    let mailed: boolean | undefined
    const left = () => lines.filter((line) => !done.has(line)).map(({ text }) => text)
    const values = form.values
    const keep = () =>
      keepInterrupted({
        accountId: account.id,
        values: { ...values, people: left().join('\n') },
        done: done.size,
        total: ready.length,
      })
    keep()
    const outcome = await each.run(
      inBatches(ready),
      async (batch, patiently) => {
        const partners = batch.map(({ person }) => ({ ...person, ...common }))
        const { results } = await create.send({ params: { id: account.id }, body: { partners } })
        const made = batch.flatMap((line, at) => {
          const { id, error, invitationUrl: url } = results[at]!
          if (error) wrong.set(line.text, reasonOf(refusedRow(error)))
          if (!id) return []
          done.add(line)
          return [{ id, line, url }]
        })
        keep()
        const known = await patiently(newest).catch(() => new Map<string, Partner>())
        const unlinked = made.find(({ url }) => url === null)
        if (unlinked && mailed === undefined && values.sendInvitation)
          mailed = await patiently(() => isMailed(unlinked.id)).catch(() => undefined)
        for (const { id, line, url } of made)
          now.push({
            partner: known.get(id) ?? asEntered(id, line.person),
            url,
            kept: url === null && mailed === false,
          })
      },
      ({ length }) => length,
    )
    takeInterrupted(account.id)
    for (const { row, error } of outcome.refused) for (const { text } of row) wrong.set(text, reasonOf(error))
    setRefused(wrong)
    setAdded((before) => [...now.toReversed(), ...before])
    form.restart({ ...values, people: left().join('\n') })
    if (now.length > 0) sayWho(now.map(({ partner }) => partner.displayName))
    void refresh()
  }

  /** Reads the partners just added, for their codes. */
  async function newest() {
    const query = { limit: AT_ONCE, sort: '-createdAt' } as const
    const { items } = await client.fetchQuery({
      ...read(listPartners, { params: { id: account.id }, query }),
      staleTime: 0,
    })
    return new Map(items.map((partner) => [partner.id, partner]))
  }

  /** True if the invitation is mailed; a failed read leaves what was added unaffected. */
  async function isMailed(id: string) {
    const { enabled: _, ...query } = invitation({ id, invitationStatus: 'sent' })
    return (await client.fetchQuery(query)).mailed
  }

  const busy = each.progress !== null
  // The form, now empty, is shorter: without this, its button's place would be far below the links.
  useEffect(() => {
    if (added.length > 0) scrollTo({ top: 0 })
  }, [added])
  return (
    <>
      {added.length > 0 && !busy && <Result added={added} left={lines.length} />}
      {interrupted && added.length === 0 && !busy && (
        <Message kind="warning">{t('partners.several.interrupted', interrupted)}</Message>
      )}
      <Form
        form={{ ...form, dirty: form.values.people.trim() !== '' }}
        save={{ busy, error: null, saved: create.saved }}
        label={t('pages.addPartner')}
        onSubmit={add}
      >
        <FormPanel heading={t('partners.several.heading')}>
          <TextAreaField
            {...form.field('people', t('partners.several.people'))}
            rows={8}
            help={t('partners.several.peopleHelp', { most: MOST_PEOPLE })}
            disabled={busy}
          />
        </FormPanel>
        {lines.length > 0 && !busy && (
          <Panel heading={t('partners.several.preview')}>
            <PlainTable
              label={t('partners.several.preview')}
              rows={previewOf(lines, refused)}
              keyOf={({ key }) => key}
              columns={previewColumns()}
            />
          </Panel>
        )}
        <FormPanel>
          <PartnerField {...form.field('parentPartnerId', t('fields.parentPartner'))} accountId={account.id} optional />
        </FormPanel>
        <ZeroRatesWarning
          custom={form.values.commissionSettings}
          inherited={account.defaultCommissionSettings.layerRates}
        />
        <CommissionPanel form={form} account={account} />
        <CheckboxField {...form.field('sendInvitation', t('partners.sendInvitation'))} />
        {each.progress ? (
          <div className={styles.adding}>
            <ProgressBar label={t('partners.several.running')} {...each.progress} />
            <span role="status">
              {t('progress.of', each.progress)}
              {each.progress.pause !== null && <> · {t('partners.several.pause', { count: each.progress.pause })}</>}
            </span>
            <Button onClick={each.cancel}>{t('form.cancel')}</Button>
          </div>
        ) : (
          <FormActions submit={t('partners.several.submit', { count: ready.length })} cancel={{ to: '/partners' }} />
        )}
      </Form>
    </>
  )
}

type Ready = Extract<PersonLine, { person: Someone }>
const readyIn = (lines: PersonLine[]) => lines.filter((line): line is Ready => 'person' in line)

const inBatches = (lines: readonly Ready[]) =>
  Array.from({ length: Math.ceil(lines.length / AT_ONCE) }, (_, at) => lines.slice(at * AT_ONCE, (at + 1) * AT_ONCE))

/** A substitute for a partner whose record could not be read, from the values entered. */
function asEntered(id: string, { email, firstName, lastName }: Someone): Added['partner'] {
  const name = [firstName, lastName].filter(Boolean).join(' ')
  return { id, email, displayName: name || email, referralCode: '', invitationStatus: null }
}

/** Returns a row's refusal as if it had been a call of its own. */
const refusedRow = ({ message, values, fields, details, ...rest }: z.output<typeof RowError>) =>
  new CallError(message, { ...rest, status: 422, values: values ?? {}, fields: fields ?? {}, details: details ?? {} })

const reasonOf = (error: CallError) => error.fields.email ?? Object.values(error.fields)[0] ?? explainRefusal(error)

function sayWho(names: string[]) {
  const shown = names.length > 3 ? names.slice(0, 2) : names
  const count = names.length - shown.length
  const list = count > 0 ? shown.join(', ') : new Intl.ListFormat('en-US').format(shown)
  toast(count > 0 ? t('partners.several.toast_other', { names: list, count }) : t('toast.added', { resource: list }))
}

type Shown = { key: string; line: number; email: string; name: string; code: string; wrong?: string }

function previewOf(lines: PersonLine[], refused: ReadonlyMap<string, string>): Shown[] {
  const ready = readyIn(lines)
  const codes = codesFor(ready.map(({ person }) => person))
  return lines.map((line, at) => {
    const key = `${at} ${line.text}`
    const place = ready.indexOf(line as Ready)
    if (!('person' in line)) return { key, line: line.line, email: line.text, name: '', code: '', wrong: line.wrong }
    const { email, firstName, lastName } = line.person
    const name = [firstName, lastName].filter(Boolean).join(' ')
    return { key, line: line.line, email, name, code: codes[place]!, wrong: refused.get(line.text) }
  })
}

const Absent = () => <span className="muted">{t('absent')}</span>

const previewColumns = (): Column<Shown>[] => [
  { head: t('partners.several.email'), cell: ({ email }) => <span className={styles.someone}>{email}</span> },
  {
    head: t('partners.name'),
    under: true,
    cell: ({ name }) => (name ? <span className={styles.someone}>{name}</span> : <Absent />),
  },
  { head: t('partners.code'), wideOnly: true, cell: ({ code }) => code || <Absent /> },
  { head: t('partners.several.line'), numeric: true, wideOnly: true, cell: ({ line }) => line },
  {
    head: t('partners.several.result'),
    cell: ({ wrong }) => (wrong ? <span className={styles.wrong}>{wrong}</span> : t('partners.several.ready')),
  },
]

/** The partners added, latest first, each with the link to pass on. */
function Result({ added, left }: { added: Added[]; left: number }) {
  const heading = t('partners.several.done', { count: added.length })
  const links = added.filter(({ url }) => url)
  const all = links.map(({ partner: { displayName, email }, url }) => [displayName, email, url].join('\t')).join('\n')
  return (
    <Panel
      heading={heading}
      aside={
        links.length > 0 && (
          <Button small onClick={() => copyText(all)}>
            {t('partners.several.copyAll')}
          </Button>
        )
      }
    >
      <PlainTable label={heading} rows={added} keyOf={({ partner }) => partner.id} columns={resultColumns()} />
      {left > 0 && (
        <div className={styles.left}>
          <Message kind="warning">{t('partners.several.left', { count: left })}</Message>
        </div>
      )}
    </Panel>
  )
}

const resultColumns = (): Column<Added>[] => [
  {
    head: t('partners.name'),
    cell: ({ partner: { id, displayName } }) => (
      <Link to="/partners/$partnerId" params={{ partnerId: id }} className={styles.someone}>
        {displayName}
      </Link>
    ),
  },
  {
    head: t('partners.several.email'),
    wideOnly: true,
    cell: ({ partner }) => <span className={styles.someone}>{partner.email}</span>,
  },
  { head: t('partners.code'), wideOnly: true, cell: ({ partner }) => partner.referralCode },
  {
    head: t('partners.several.link'),
    cell: ({ partner: { displayName: name, invitationStatus }, url, kept }) =>
      url ? (
        <span className={styles.linkCell}>
          <code>{url}</code>
          <CopyButton small value={url} label={t('partners.several.copyLink', { name })} />
        </span>
      ) : (
        t(`partners.several.${invitationStatus === null ? 'notInvited' : kept ? 'kept' : 'mailed'}`)
      ),
  },
]
