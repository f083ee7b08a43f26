import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import {
  type BlueprintLink,
  changeLinkBlueprint,
  deleteLinkBlueprint,
  downloadBlueprintLinks,
  type LinkBlueprint,
  type listBlueprintLinks,
  type UnlistedLinks,
} from '#contract/links.ts'
import { createPartner } from '#contract/partners.ts'
import { formatMoney } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { LinkAddress } from '../../shared/LinkAddress.tsx'
import { ToPartner } from '../../shared/links.tsx'
import { type BehindOnLeads, leadsBehind, revenueBehind, salesBehind } from '../../shared/lists-behind.ts'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { useAccount } from '../../shell/current.ts'
import { PageAddress } from '../../ui/Address.tsx'
import { defineDelete } from '../../ui/act.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { AddButton, GoButton } from '../../ui/GoButton.tsx'
import { PartnersIcon, QrIcon } from '../../ui/icons.tsx'
import { Name } from '../../ui/Name.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { QrDialog } from '../../ui/QrDialog.tsx'
import { StatStrip } from '../../ui/StatStrip.tsx'
import { fieldWords } from '../../words/fields.ts'
import { formWords } from '../../words/forms.ts'
import { linkWords } from '../../words/links.ts'
import { ownLinkWords } from '../../words/own-links.ts'
import { pageWords } from '../../words/shell.ts'
import { LinkCharts } from './LinkCharts.tsx'
import styles from './Links.module.css'
import { OneLink } from './OneLink.tsx'
import { blueprintLinks, ownLinksQuery } from './queries.ts'

const column = defineColumns<typeof listBlueprintLinks>()

export const LinkDetail = ({ blueprintId }: { blueprintId: string }) => (
  <OneLink id={blueprintId} shape="detail" heading={pageWords.link}>
    {(blueprint) => <Detail blueprint={blueprint} />}
  </OneLink>
)

function Detail({ blueprint }: { blueprint: LinkBlueprint }) {
  const { id, name, enabled, destinationUrl, cookieDays } = blueprint
  return (
    <Page
      heading={name}
      parent={<Link to="/links">{pageWords.links}</Link>}
      badge={<Badge tone={enabled ? 'done' : 'waits'}>{enabled ? fieldWords.enabled : formWords.disabled}</Badge>}
      about={
        <>
          <span title={destinationUrl}>
            <span className="ellipsis">{destinationUrl}</span>
          </span>
          <span>
            {linkWords.window} {linkWords.days({ count: cookieDays })}
          </span>
        </>
      }
      actions={
        <>
          <ActButton look="remove" act={Deletion} of={blueprint} />
          <GoButton
            look="primary"
            needs={changeLinkBlueprint}
            go={{ to: '/links/$blueprintId/update', params: { blueprintId: id } }}
          >
            {linkWords.edit}
          </GoButton>
        </>
      }
    >
      <Figures blueprint={blueprint} />
      <LinkCharts id={id} />
      <ByPartner blueprint={blueprint} />
      <MadeByPartners blueprint={blueprint} />
    </Page>
  )
}

/** All-time figures; leads and sales link to their lists. */
function Figures({ blueprint: { id, stats } }: { blueprint: LinkBlueprint }) {
  const { defaultCurrency } = useAccount()
  const allTime = linkWords.allTime
  const scope = { blueprintId: id }
  const to = (search: BehindOnLeads) => (label: string) => (
    <Link to="/leads" search={search}>
      {label}
    </Link>
  )
  return (
    <StatStrip
      label={linkWords.figures}
      stats={[
        {
          label: fieldWords.clicks,
          value: formatNumber(stats.clicks),
          note: linkWords.unique({ count: stats.uniqueClicks, total: formatNumber(stats.uniqueClicks) }),
        },
        {
          label: fieldWords.leads,
          value: formatNumber(stats.leads),
          note: allTime,
          wrap: to(leadsBehind(undefined, scope)),
        },
        {
          label: fieldWords.sales,
          value: formatNumber(stats.sales),
          note: allTime,
          wrap: to(salesBehind(undefined, scope)),
        },
        {
          label: fieldWords.revenue,
          value: formatMoney(stats.revenue, defaultCurrency),
          note: allTime,
          wrap: to(revenueBehind(undefined, scope)),
        },
      ]}
    />
  )
}

function ByPartner({ blueprint: { id } }: { blueprint: LinkBlueprint }) {
  const list = useList(blueprintLinks({ id }))
  const [shown, setShown] = useState<BlueprintLink | null>(null)
  const columns = useMemo(() => columnsWith(setShown), [])
  return (
    <>
      <h2>{linkWords.byPartner}</h2>
      <DataTable
        name={linkWords.byPartner}
        plural={linkWords.partnersPlural}
        list={list}
        csv={{ endpoint: downloadBlueprintLinks }}
        rowsAre="partners"
        columns={columns}
        keyOf={({ partnerId }) => partnerId}
        nameOf={({ displayName }) => displayName}
        empty={{
          icon: <PartnersIcon />,
          hint: linkWords.noPartners,
          action: (
            <AddButton needs={createPartner} go={{ to: '/partners/new' }}>
              {linkWords.addPartner}
            </AddButton>
          ),
        }}
      />
      {list.answer.data && <Unlisted blueprintId={id} {...list.answer.data.unlisted} />}
      {shown && <QrDialog name={shown.displayName} shortUrl={shown.shortUrl} onClose={() => setShown(null)} />}
    </>
  )
}

/** Shows what the figures above count beside the listed links; nothing if those are all. */
function Unlisted({ blueprintId, archivedPartners, noPartner }: UnlistedLinks & { blueprintId: string }) {
  const lines = [
    { key: 'archived', label: linkWords.archivedPartners, counts: archivedPartners },
    {
      key: 'none',
      label: (
        <Link to="/leads" search={leadsBehind(undefined, { blueprintId, partnerId: 'none' })}>
          {linkWords.noPartner}
        </Link>
      ),
      counts: noPartner,
    },
  ]
  return lines
    .filter(({ counts }) => Object.values(counts).some((count) => count !== 0))
    .map(({ key, label, counts }) => (
      <p key={key} className="muted small">
        {label}: {linkWords.counts(counts)}
      </p>
    ))
}

/** The links that partners added to this template; nothing without any. */
function MadeByPartners({ blueprint: { id } }: { blueprint: LinkBlueprint }) {
  const answer = useInfiniteQuery(ownLinksQuery(id))
  const links = answer.data?.pages.flatMap(({ items }) => items) ?? []
  if (links.length === 0) return null
  return (
    <Panel heading={ownLinkWords.madeByPartners}>
      <PlainTable
        label={ownLinkWords.madeByPartners}
        rows={links}
        keyOf={(link) => link.id!}
        columns={[
          {
            head: fieldWords.partner,
            cell: ({ partnerId, displayName }) => <ToPartner id={partnerId}>{displayName}</ToPartner>,
          },
          { head: fieldWords.name, under: true, cell: ({ name }) => <Name>{name}</Name> },
          {
            head: ownLinkWords.page,
            under: true,
            cell: ({ destinationUrl }) => <PageAddress>{pageOf(destinationUrl)}</PageAddress>,
          },
          { head: fieldWords.subId, wideOnly: true, cell: ({ subId }) => subId && <Name>{subId}</Name> },
          { head: fieldWords.clicks, numeric: true, cell: ({ clicks }) => formatNumber(clicks) },
          { head: fieldWords.leads, numeric: true, cell: ({ leads }) => formatNumber(leads) },
          { head: fieldWords.sales, numeric: true, cell: ({ sales }) => formatNumber(sales) },
        ]}
      />
      <ShowMore answer={answer}>{ownLinkWords.more}</ShowMore>
    </Panel>
  )
}

const pageOf = (address: string) => address.replace(/^https?:\/\//, '')

const columnsWith = (showQr: (link: BlueprintLink) => void): ColumnOf<typeof listBlueprintLinks>[] => [
  column.first(['displayName'], fieldWords.partner, { sort: 'name' }, ({ partnerId, displayName }) => (
    <ToPartner id={partnerId}>{displayName}</ToPartner>
  )),
  column.of('shortUrl', fieldWords.link, { card: 'under' }, (link) => (
    <div className={`row ${styles.link}`}>
      <LinkAddress url={link.shortUrl} />
      <span className="row">
        <CopyButton small value={link.shortUrl} label={linkWords.copy} />
        <IconButton small bordered label={linkWords.showQr} icon={<QrIcon size={16} />} onClick={() => showQr(link)} />
      </span>
    </div>
  )),
  column.count('clicks', fieldWords.clicks, { sort: true }),
  column.count('leads', fieldWords.leads, { sort: true }),
  column.count('sales', fieldWords.sales, { sort: true }),
]

const Deletion = defineDelete(deleteLinkBlueprint, ({ name }: LinkBlueprint) => ({
  name,
  resource: linkWords.resource,
  thing: linkWords.thing,
  list: { to: '/links' },
}))
