import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { PartnerLink } from '#contract/links.ts'
import type { Partner } from '#contract/partners.ts'
import { formatCount } from '../../format.ts'
import { LinkAddress } from '../../shared/LinkAddress.tsx'
import { partnerLinks } from '../../shared/queries.ts'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { QrIcon } from '../../ui/icons.tsx'
import { withinTwoMinutes } from '../../ui/load-limit.ts'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { Empty, Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { basicWords } from '../../words/basic.ts'
import { dashboardWords } from '../../words/dashboard.ts'
import { fieldWords } from '../../words/fields.ts'
import { columnWords } from '../../words/lists.ts'
import { statsWords } from '../../words/stats.ts'

// Rarely used, so loaded when it is opened.
const QrDialog = lazy(() =>
  withinTwoMinutes(import('../../ui/QrDialog.tsx')).then(({ QrDialog }) => ({ default: QrDialog })),
)

type Props = { partnerId: string; state: Partner['state'] | undefined }

/** A partner's links, ready to share; links that earn nothing are marked. */
export function YourLinks({ partnerId, state }: Props) {
  const answer = useInfiniteQuery(partnerLinks(partnerId))
  const links = answer.data?.pages.flatMap(({ items }) => items)
  const wide = useMediaQuery('(min-width: 768px)')
  const stopped = state === 'suspended' || state === 'archived' ? state : undefined
  const help = wide && !stopped ? dashboardWords.yourLinksHelp : statsWords.allTime
  return (
    <Panel heading={dashboardWords.yourLinks} aside={links && links.length > 0 && <small>{help}</small>}>
      {!links && <Pending answer={answer} rows={3} />}
      {links?.length === 0 && <Empty hint={dashboardWords.noOwnLinks} />}
      {stopped && links && links.length > 0 && (
        <div className="inset">
          <Message kind="warning">{dashboardWords.linksEarnNothing[stopped]}</Message>
        </div>
      )}
      {links && links.length > 0 && (wide ? <LinkTable links={links} /> : <LinkCards links={links} />)}
      <ShowMore answer={answer}>{dashboardWords.moreLinks}</ShowMore>
    </Panel>
  )
}

function LinkTable({ links }: { links: PartnerLink[] }) {
  return (
    <PlainTable
      label={dashboardWords.yourLinks}
      rows={links}
      keyOf={({ blueprintId }) => blueprintId}
      columns={[
        { head: fieldWords.link, cell: ({ name }) => <Name>{name}</Name> },
        {
          head: fieldWords.address,
          cell: ({ shortUrl }) => <LinkAddress url={shortUrl} />,
        },
        { head: fieldWords.clicks, numeric: true, cell: ({ clicks }) => formatCount(clicks) },
        { head: fieldWords.leads, numeric: true, cell: ({ leads }) => formatCount(leads) },
        { head: fieldWords.sales, numeric: true, cell: ({ sales }) => formatCount(sales) },
        {
          head: columnWords.copy,
          headHidden: true,
          numeric: true,
          cell: (link) => <LinkActions link={link} />,
        },
      ]}
    />
  )
}

function LinkCards({ links }: { links: PartnerLink[] }) {
  return (
    <ul className="items">
      {links.map((link) => (
        <li key={link.blueprintId}>
          <div className="row">
            <div className="rest">
              <strong>
                <Name>{link.name}</Name>
              </strong>
              <LinkAddress url={link.shortUrl} />
            </div>
            <LinkActions link={link} />
          </div>
          <p className="muted small">
            {[
              dashboardWords.linkClicks({ count: link.clicks }),
              dashboardWords.linkLeads({ count: link.leads }),
              dashboardWords.linkSales({ count: link.sales }),
            ].join(' · ')}
          </p>
        </li>
      ))}
    </ul>
  )
}

const LinkActions = ({ link }: { link: PartnerLink }) => (
  <span className="row">
    <ShowQr link={link} />
    <CopyLink link={link} />
  </span>
)

/** Copies the short address that is shown; its clicks are counted wherever it leads. */
const CopyLink = ({ link }: { link: PartnerLink }) => (
  <CopyButton small value={link.shortUrl} label={basicWords.actions.copyLink({ name: link.name })} />
)

function ShowQr({ link: { name, shortUrl } }: { link: PartnerLink }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton
        bordered
        small
        className="to-end"
        label={dashboardWords.showQr({ name })}
        icon={<QrIcon size={16} />}
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <QrDialog name={name} shortUrl={shortUrl} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
