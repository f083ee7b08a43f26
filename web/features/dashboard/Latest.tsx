import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Partner } from '#contract/partners.ts'
import { formatDateAt } from '../../format.ts'
import { GoalBars } from '../../shared/GoalBars.tsx'
import { termsStateQuery } from '../../shared/terms.ts'
import { partnerSentence } from '../../shared/your-rates.ts'
import { useAccount } from '../../shell/current.ts'
import { Panel } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { newsWords } from '../../words/announcements.ts'
import { assetWords } from '../../words/assets.ts'
import { termsWords } from '../../words/terms.ts'
import { Beside } from './DashboardAside.tsx'
import { latestNewsQuery } from './news-queries.ts'
import { partnerAssetsQuery } from './queries.ts'
import { AssetLines } from './YourAssets.tsx'

/** Assets shown on the dashboard. */
const SHOWN = 3

/** The newest note's headline, what the partner earns in one sentence, and the first assets; each leads to all of it. */
export function Latest({ partner }: { partner: Partner }) {
  const { timeZone } = useAccount()
  const [note] = useQuery(latestNewsQuery(partner.id)).data?.items ?? []
  const assets = useQuery(partnerAssetsQuery(partner.id)).data?.items ?? []
  const { currency } = partner.stats
  return (
    <Beside>
      {note && (
        <Panel heading={newsWords.heading} aside={<Link to="/dashboard/news">{newsWords.all}</Link>}>
          <div className="stack gap-1 inset">
            <strong className="wrap">
              <Link to="/dashboard/news">{note.subject}</Link>
            </strong>
            <small className="muted">{formatDateAt(note.createdAt, timeZone)}</small>
          </div>
        </Panel>
      )}
      <PendingPanel
        heading={termsWords.whatYouEarn}
        answer={useQuery(termsStateQuery({ of: 'partner', id: partner.id }))}
        rows={2}
        aside={() => <Link to="/dashboard/terms">{termsWords.seeAll}</Link>}
      >
        {(terms) => (
          <div className="stack gap-3 inset">
            <p>{partnerSentence(terms, currency)}</p>
            <GoalBars partnerId={partner.id} currency={currency} reader="partner" />
          </div>
        )}
      </PendingPanel>
      {assets.length > 0 && (
        <Panel heading={assetWords.yours} aside={<Link to="/dashboard/assets">{assetWords.all}</Link>}>
          <AssetLines assets={assets.slice(0, SHOWN)} />
        </Panel>
      )}
    </Beside>
  )
}
