import { useQuery } from '@tanstack/react-query'
import { usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { assetWords as words } from '../../words/assets.ts'
import { partnerAssetsQuery } from './queries.ts'
import { AssetItems } from './YourAssets.tsx'

/** Everything that a partner may copy. */
export function AllAssets() {
  const answer = useQuery(partnerAssetsQuery(usePartnerRole().partnerId))
  return (
    <Page heading={words.tab} badge={<ProgramName />}>
      <PendingPanel heading={words.all} answer={answer} rows={6}>
        {({ items }) => (items.length > 0 ? <AssetItems assets={items} /> : <Empty hint={words.none} />)}
      </PendingPanel>
    </Page>
  )
}
