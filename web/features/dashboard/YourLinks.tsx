import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { changePartnerLink, createPartnerLink, deletePartnerLink, type PartnerLink } from '#contract/links.ts'
import type { Partner } from '#contract/partners.ts'

import { LinkAddress } from '../../shared/LinkAddress.tsx'
import { partnerLinksQuery } from '../../shared/queries.ts'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useMediaQuery } from '../../ui/browser.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { QrIcon } from '../../ui/icons.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
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
import { ownLinkWords } from '../../words/own-links.ts'
import { dialogWords } from '../../words/pieces.ts'
import { statsWords } from '../../words/stats.ts'
import type { OwnLink, OwnLinkAct } from './OwnLinkDialog.tsx'
import styles from './YourLinks.module.css'

// Rarely used, so loaded when it is opened.
const QrDialog = lazy(() =>
  withinTwoMinutes(import('../../ui/QrDialog.tsx')).then(({ QrDialog }) => ({ default: QrDialog })),
)

export const OwnLinkDialog = lazyComponent(() =>
  import('./OwnLinkDialog.tsx').then(({ OwnLinkDialog }) => OwnLinkDialog),
)

export type YourLinksProps = { partnerId: string; state: Partner['state'] | undefined }

/** Returns the state in which a partner's links no longer earn, or undefined. */
export const stoppedState = (state: YourLinksProps['state']) =>
  state === 'suspended' || state === 'archived' ? state : undefined

/**
 * A partner's links, each with those the partner added below it; links that earn nothing are marked. `unfolded` below the
 * main link, which has the warning and the button.
 */
export function YourLinks({ partnerId, state, unfolded = false }: YourLinksProps & { unfolded?: boolean }) {
  const answer = useInfiniteQuery(partnerLinksQuery(partnerId, { own: false }))
  const own = useInfiniteQuery(partnerLinksQuery(partnerId, { own: true }))
  const [asked, setAsked] = useState<OwnLinkAct | null>(null)
  const templates = answer.data?.pages.flatMap(({ items }) => items)
  const added = own.data?.pages.flatMap(({ items }) => items) ?? []
  const links = templates?.flatMap((link) => [
    link,
    ...added.filter(({ blueprintId }) => blueprintId === link.blueprintId),
  ])
  const domains = [...new Set(templates?.flatMap((link) => link.domains))]
  const wide = useMediaQuery('(min-width: 768px)')
  const stopped = stoppedState(state)
  const help = wide && !stopped ? dashboardWords.yourLinksHelp : statsWords.allTime
  const shown = { links: links ?? [], onAct: setAsked }
  return (
    <Panel heading={dashboardWords.yourLinks} aside={links && links.length > 0 && <small>{help}</small>}>
      <OwnLinkDialog.OnUse />
      {!links && <Pending answer={answer} rows={3} />}
      {links?.length === 0 && <Empty hint={dashboardWords.noOwnLinks} />}
      {stopped && !unfolded && links && links.length > 0 && (
        <div className="inset">
          <Message kind="warning">{dashboardWords.linksEarnNothing[stopped]}</Message>
        </div>
      )}
      {links && links.length > 0 && (wide ? <LinkTable {...shown} /> : <LinkCards {...shown} />)}
      <ShowMore answer={answer}>{dashboardWords.moreLinks}</ShowMore>
      {domains.length > 0 && !stopped && !unfolded && (
        <div className={`inset ${styles.add}`}>
          <Button
            small
            needs={createPartnerLink}
            onClick={() => setAsked({ act: 'add', of: { id: partnerId, domains } })}
          >
            {ownLinkWords.add}
          </Button>
        </div>
      )}
      {asked && <OwnLinkDialog {...asked} onClose={() => setAsked(null)} />}
    </Panel>
  )
}

type Shown = { links: PartnerLink[]; onAct: (asked: OwnLinkAct) => void }

const keyOf = ({ id, blueprintId }: PartnerLink) => id ?? blueprintId

function LinkTable({ links, onAct }: Shown) {
  return (
    <PlainTable
      label={dashboardWords.yourLinks}
      rows={links}
      keyOf={keyOf}
      columns={[
        { head: fieldWords.link, cell: (link) => <LinkName link={link} /> },
        {
          head: fieldWords.address,
          cell: ({ shortUrl }) => <LinkAddress url={shortUrl} />,
        },
        { head: fieldWords.clicks, numeric: true, cell: ({ clicks }) => formatNumber(clicks) },
        { head: fieldWords.leads, numeric: true, cell: ({ leads }) => formatNumber(leads) },
        { head: fieldWords.sales, numeric: true, cell: ({ sales }) => formatNumber(sales) },
        {
          head: columnWords.copy,
          headHidden: true,
          numeric: true,
          cell: (link) => <LinkActions link={link} onAct={onAct} />,
        },
      ]}
    />
  )
}

/** The name; for a link that the partner added also that its figures are part of those above, and its sub-ID. */
function LinkName({ link: { own, name, subId } }: { link: PartnerLink }) {
  if (!own) return <Name>{name}</Name>
  const about = [ownLinkWords.ofWhich, ...(subId ? [`${fieldWords.subId} ${subId}`] : [])].join(' · ')
  return (
    <div className={styles.own}>
      <Name>{name}</Name>
      <div className="muted small ellipsis" title={subId ?? undefined}>
        {about}
      </div>
    </div>
  )
}

function LinkCards({ links, onAct }: Shown) {
  return (
    <ul className="items">
      {links.map((link) => (
        <li key={keyOf(link)}>
          <div className="row">
            <div className="rest">
              <strong>
                <LinkName link={link} />
              </strong>
              <LinkAddress url={link.shortUrl} />
            </div>
            <LinkActions link={link} onAct={onAct} />
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

function LinkActions({ link, onAct }: { link: PartnerLink; onAct: Shown['onAct'] }) {
  const { name, shortUrl } = link
  const [showsQr, setShowsQr] = useState(false)
  return (
    <span className="row">
      <span className="to-end">
        {isOwn(link) ? (
          <ActionMenu
            small
            bordered
            name={name}
            actions={[
              { label: dashboardWords.showQr({ name }), run: () => setShowsQr(true) },
              { label: ownLinkWords.editAction, needs: changePartnerLink, run: () => onAct({ act: 'edit', of: link }) },
              {
                label: dialogWords.delete,
                needs: deletePartnerLink,
                danger: true,
                run: () => onAct({ act: 'delete', of: link }),
              },
            ]}
          />
        ) : (
          <QrButton small link={link} />
        )}
      </span>
      {/* the short address: its clicks are counted wherever it leads */}
      <CopyButton small value={shortUrl} label={basicWords.actions.copyLink({ name })} />
      {showsQr && <LinkQr link={link} onClose={() => setShowsQr(false)} />}
    </span>
  )
}

/** Opens the QR code of a link. */
export function QrButton({ link, small = false }: { link: PartnerLink; small?: boolean }) {
  const [shows, setShows] = useState(false)
  const label = dashboardWords.showQr(link)
  return (
    <>
      <IconButton bordered small={small} label={label} icon={<QrIcon size={16} />} onClick={() => setShows(true)} />
      {shows && <LinkQr link={link} onClose={() => setShows(false)} />}
    </>
  )
}

const LinkQr = ({ link, onClose }: { link: PartnerLink; onClose: () => void }) => (
  <Suspense>
    <QrDialog {...link} onClose={onClose} />
  </Suspense>
)

const isOwn = (link: PartnerLink): link is OwnLink => link.id !== null
