import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { PartnerLink } from '#contract/links.ts'
import type { Balance } from '#contract/partners.ts'
import { formatCount, formatDate, formatMoney } from '../../format.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyIcon, DoneIcon } from '../../ui/icons.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Failed, Panel, Skeleton } from '../../ui/Panel.tsx'
import { type Stat, StatStrip } from '../../ui/StatStrip.tsx'
import { Table } from '../../ui/Table.tsx'
import { t } from '../../words.ts'
import styles from './Dashboard.module.css'
import { balance, partnerLinks } from './queries.ts'

export function PartnerDashboard({ partnerId }: { partnerId: string }) {
  return (
    <Page heading={t('pages.dashboard')}>
      <Money partnerId={partnerId} />
      <YourLinks partnerId={partnerId} />
    </Page>
  )
}

function Money({ partnerId }: { partnerId: string }) {
  const { data, error, refetch, isFetching } = useQuery(balance(partnerId))
  if (data) return <StatStrip label={t('stats.money')} stats={moneyOf(data)} />
  return (
    <Panel>{error ? <Failed onRetry={refetch} busy={isFetching} why={error.message} /> : <Skeleton rows={2} />}</Panel>
  )
}

function moneyOf({ held, onHold, due, inPayout, paid, currency, nextPayoutDate, blockers }: Balance): Stat[] {
  const money = (amount: number) => formatMoney(amount, currency)
  const blocker = blockers[0]
  return [
    { label: t('stats.earned'), value: money(held + onHold + due + inPayout + paid), note: t('stats.allTime') },
    { label: t('stats.held'), value: money(held + onHold), note: t('stats.heldWhy') },
    { label: t('stats.due'), value: money(due + inPayout), note: t('stats.dueWhy') },
    { label: t('stats.paid'), value: money(paid), note: t('stats.paidWhy') },
    {
      label: t('stats.nextPayout'),
      value: nextPayoutDate ? formatDate(nextPayoutDate) : t('absent'),
      note: blocker?.message ?? (nextPayoutDate ? t('stats.scheduled') : t('stats.nothingDue')),
      warns: Boolean(blocker),
    },
  ]
}

function YourLinks({ partnerId }: { partnerId: string }) {
  const { data, error, refetch, isFetching } = useQuery(partnerLinks(partnerId))
  const wide = useMediaQuery('(min-width: 768px)', true, { getInitialValueInEffect: false })
  return (
    <Panel heading={t('dashboard.yourLinks')} aside={wide && <small>{t('dashboard.yourLinksHelp')}</small>}>
      {error && !data && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {!error && !data && <Skeleton rows={3} />}
      {data?.items.length === 0 && <Empty hint={t('dashboard.noOwnLinks')} />}
      {data && data.items.length > 0 && (wide ? <LinkTable links={data.items} /> : <LinkCards links={data.items} />)}
    </Panel>
  )
}

/** An address as it is read: without its scheme. */
const shown = (url: string) => url.replace(/^https?:\/\//, '')

function LinkTable({ links }: { links: PartnerLink[] }) {
  return (
    <Table
      label={t('dashboard.yourLinks')}
      rows={links}
      keyOf={({ blueprintId }) => blueprintId}
      columns={[
        { head: t('columns.link'), cell: ({ name }) => name },
        { head: t('columns.address'), cell: ({ url }) => <code className={styles.address}>{shown(url)}</code> },
        { head: t('columns.clicks'), numeric: true, cell: ({ clicks }) => formatCount(clicks) },
        { head: t('columns.leads'), numeric: true, cell: ({ leads }) => formatCount(leads) },
        { head: t('columns.sales'), numeric: true, cell: ({ sales }) => formatCount(sales) },
        { head: t('columns.copy'), headHidden: true, numeric: true, cell: (link) => <CopyLink link={link} /> },
      ]}
    />
  )
}

function LinkCards({ links }: { links: PartnerLink[] }) {
  return (
    <ul className={styles.cards}>
      {links.map((link) => (
        <li key={link.blueprintId}>
          <div>
            <strong>{link.name}</strong>
            <code className={styles.address}>{shown(link.url)}</code>
            <small>
              {t('dashboard.linkFigures', {
                clicks: formatCount(link.clicks),
                leads: formatCount(link.leads),
                sales: formatCount(link.sales),
              })}
            </small>
          </div>
          <CopyLink link={link} />
        </li>
      ))}
    </ul>
  )
}

/** Copies the short address, whose clicks are counted. A copy that fails leaves the button as it was. */
function CopyLink({ link }: { link: PartnerLink }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 6000)
    return () => clearTimeout(timer)
  }, [copied])
  async function copy() {
    try {
      await navigator.clipboard.writeText(link.shortUrl)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <>
      <Button
        small
        icon={copied ? <DoneIcon size={16} /> : <CopyIcon size={16} />}
        aria-label={t('actions.copyLink', { name: link.name })}
        onClick={copy}
      >
        {t('actions.copy')}
      </Button>
      <span role="status" className="visually-hidden">
        {copied && t('states.copied')}
      </span>
    </>
  )
}
