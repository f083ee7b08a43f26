import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useState } from 'react'
import { remindPartner } from '#contract/payout-settings.ts'
import { listPayouts, MOST_APPROVED, type Payout, type PayoutAttention, retryPayout } from '#contract/payouts.ts'
import { CallError } from '../../api.ts'
import { read, useCall, useRefresh } from '../../calls.ts'
import { formatMoney, formatSum, todayIn, yearOf } from '../../format.ts'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import { Disk, type Tone } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { AccountIcon, AgainIcon, MailIcon, PayoutsIcon, ProvidersIcon, ShieldIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Panel, Skeleton } from '../../ui/Panel.tsx'
import { Refused } from '../../ui/Refused.tsx'
import { toast } from '../../ui/toasts.ts'
import { useEach } from '../../ui/useEach.ts'
import { t } from '../../words.ts'
import styles from './NeedsYou.module.css'
import { attention } from './queries.ts'
import { ReviewApproval } from './ReviewApproval.tsx'
import { numberOf } from './words.ts'

type Item = PayoutAttention['items'][number]
type Acting = { of: Item; payouts: readonly Payout[] }

const looks: Record<Item['kind'], { icon: ComponentType<{ size?: number }>; tone: Tone }> = {
  approve: { icon: PayoutsIcon, tone: 'moves' },
  fund: { icon: AccountIcon, tone: 'needs' },
  remind: { icon: MailIcon, tone: 'needs' },
  'approve-year': { icon: ShieldIcon, tone: 'needs' },
  'fix-details': { icon: MailIcon, tone: 'failed' },
  retry: { icon: AgainIcon, tone: 'failed' },
  reconnect: { icon: ProvidersIcon, tone: 'failed' },
}

/** The owner's open tasks for getting partners paid, by reason: the amount waiting, and the one action that helps. */
export function NeedsYou() {
  const { id: accountId, defaultCurrency } = useAccount()
  const { data, isPending } = useQuery(attention(accountId))
  const { action, busy, dialog } = useBatchActions()
  // On a phone an action is below its text; a smaller placeholder would make everything below jump.
  const height = useMediaQuery('(min-width: 768px)') ? 56 : 120
  const items = data?.items.filter(({ count }) => count > 0) ?? []
  return (
    <>
      {isPending && (
        <Panel heading={t('payouts.now.heading')} rule>
          <Skeleton rows={4} height={height} />
        </Panel>
      )}
      {items.length > 0 && (
        <Panel heading={t('payouts.now.heading')} rule>
          <ul className={styles.items}>
            {items.map((item) => (
              <li key={`${item.kind} ${item.method}`}>
                <Disk {...looks[item.kind]} large />
                <div>
                  <Link to="/payouts" search={listOf(item)}>
                    {item.message}
                  </Link>
                  {item.method === 'wise' && <p>{t('payouts.count', { count: item.count })}</p>}
                </div>
                <strong>{formatMoney(item.amount, defaultCurrency)}</strong>
                <Remedy item={item} busy={busy === item} disabled={busy !== null} onAction={() => action(item)} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {dialog}
    </>
  )
}

/** Returns the list's filter for an item. The items to fund are split by method. */
const listOf = ({ kind, method }: Item) => ({
  tab: 'needs-action' as const,
  attention: kind,
  ...(kind === 'fund' && { status: method === 'wise' ? 'awaiting-funding' : 'approved' }),
})

type ActProps = { item: Item; busy: boolean; disabled: boolean; onAction: () => void }

function Remedy({ item, busy, disabled, onAction }: ActProps): ReactNode {
  const year = yearOf(todayIn(useAccount().timeZone))
  const button = (words: string, look: 'primary' | 'secondary' = 'secondary') => (
    <Button small look={look} busy={busy} disabled={disabled} onClick={onAction}>
      {words}
    </Button>
  )
  switch (item.kind) {
    case 'approve':
      return button(t('payouts.review.approve', { count: item.count }), 'primary')
    case 'fund':
      return item.method === 'wise' ? (
        <a className={styles.out} href="https://wise.com/" target="_blank" rel="noreferrer">
          {t('payouts.payOnWise')}
        </a>
      ) : (
        <LinkButton small to="/payouts" search={listOf(item)}>
          {t('payouts.now.show')}
        </LinkButton>
      )
    case 'remind':
    case 'fix-details':
      return button(t('payouts.now.remind'))
    case 'approve-year':
      return button(t('payouts.now.approveYear', { year }))
    case 'retry':
      return button(t('payouts.now.retry'))
    case 'reconnect':
      return (
        <LinkButton small to="/account/settings" search={{ tab: 'payouts' }}>
          {t('payouts.now.reconnect')}
        </LinkButton>
      )
  }
}

/** Applies an item's action to all its payouts, and reports refusals with their reasons. */
function useBatchActions() {
  const { id: accountId, timeZone } = useAccount()
  const year = yearOf(todayIn(timeZone))
  const client = useQueryClient()
  const refresh = useRefresh()
  const each = useEach()
  const remind = useCall(remindPartner, { oneOfMany: true })
  const retry = useCall(retryPayout, { oneOfMany: true })
  const approval = useYearApproval(accountId)
  const [busy, setBusy] = useState<Item | null>(null)
  const [asking, setAsking] = useState<Acting | null>(null)
  const [refused, setRefused] = useState<{ key: string; name: string; error: CallError }[]>([])

  /** Reads as many payouts as one call approves. */
  const payoutsOf = async ({ kind }: Item) => {
    // payouts with recently changed details are listed in the review too, for a decision
    const query = { ...(kind === 'approve' ? { status: 'due' } : { attention: kind }), limit: MOST_APPROVED }
    const list = await client.fetchQuery({ ...read(listPayouts, { params: { id: accountId }, query }), staleTime: 0 })
    return list.items
  }

  /** Reminds partners of their details; those who have not joined yet get the invitation again. */
  async function remindAll(payouts: Payout[]) {
    const partners = [...new Map(payouts.map((payout) => [payout.partnerId, payout])).values()]
    let mailed = true
    const send = (id: string, kind: 'payout-settings' | 'invitation') => remind.send({ params: { id }, body: { kind } })
    const outcome = await each.run(partners, async ({ partnerId }) => {
      const reply = await send(partnerId, 'payout-settings').catch((error: unknown) => {
        if (error instanceof CallError && error.reason === 'partner_not_joined') return send(partnerId, 'invitation')
        throw error
      })
      mailed &&= reply.mailed
    })
    void refresh()
    if (outcome.done.length > 0)
      toast(t(mailed ? 'payouts.now.reminded' : 'payouts.now.kept', { count: outcome.done.length }))
    setRefused(outcome.refused.map(({ row, error }) => ({ key: row.partnerId, name: row.partnerName, error })))
  }

  async function retryAll(payouts: readonly Payout[]) {
    const outcome = await each.run(payouts, ({ id }) => retry.send({ params: { id } }))
    setAsking(null)
    void refresh()
    if (outcome.done.length > 0) toast(t('payouts.now.retried', { count: outcome.done.length }))
    setRefused(outcome.refused.map(({ row, error }) => ({ key: row.id, name: numberOf(row), error })))
  }

  async function action(item: Item) {
    setBusy(item)
    try {
      if (item.kind === 'approve-year') await approval.set(year, item.partnerIds, true)
      else {
        const payouts = await payoutsOf(item)
        if (item.kind === 'remind' || item.kind === 'fix-details') await remindAll(payouts)
        else setAsking({ of: item, payouts })
      }
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setRefused([{ key: item.kind, name: item.message, error }])
    } finally {
      setBusy(null)
    }
  }

  const close = () => setAsking(null)
  const dialog =
    asking?.of.kind === 'approve' ? (
      <ReviewApproval
        accountId={accountId}
        payouts={asking.payouts}
        others={Math.max(0, asking.of.count - asking.payouts.length)}
        onClose={close}
      />
    ) : asking ? (
      <Confirm
        heading={t('payouts.actions.retry')}
        confirm={t('payouts.now.retryMany', { count: asking.payouts.length })}
        call={{ busy: each.progress !== null, error: null }}
        onConfirm={() => void retryAll(asking.payouts)}
        onClose={close}
      >
        {t('payouts.now.retryWhy', { count: asking.payouts.length, amount: formatSum(asking.payouts) })}
      </Confirm>
    ) : refused.length > 0 ? (
      <Refused
        heading={t('payouts.now.refused', { count: refused.length })}
        refused={refused}
        onClose={() => setRefused([])}
      />
    ) : null
  return { action: (item: Item) => void action(item), busy, dialog }
}
