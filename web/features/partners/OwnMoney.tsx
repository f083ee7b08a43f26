import { ProgramName } from '../../shell/ProgramName.tsx'
import { Page } from '../../ui/Page.tsx'
import { useTab } from '../../ui/Tabs.tsx'
import { pageWords } from '../../words/shell.ts'
import { Commissions } from './Commissions.tsx'
import { OnePartner } from './OnePartner.tsx'
import { PartnerPayouts } from './PartnerPayouts.tsx'

const tabs = ['commissions', 'payouts'] as const

/** A partner's commissions or payouts, each on a screen of its own. */
export function OwnMoney({ partnerId }: { partnerId: string }) {
  const tab = useTab(tabs)
  return (
    <OnePartner id={partnerId} shape="detail" heading={pageWords[tab]}>
      {(partner) => (
        <Page heading={pageWords[tab]} badge={<ProgramName />}>
          {tab === 'commissions' ? (
            <Commissions key={tab} partnerId={partner.id} />
          ) : (
            <PartnerPayouts key={tab} partner={partner} />
          )}
        </Page>
      )}
    </OnePartner>
  )
}
