import { useQuery } from '@tanstack/react-query'
import { getPayoutSettings } from '#contract/payout-settings.ts'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { payoutSettingsQuery } from '../../shared/queries.ts'
import { usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Page } from '../../ui/Page.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { pageWords } from '../../words/shell.ts'

const Deposit = lazyComponent(async () => (await import('./Deposit.tsx')).Deposit)
const NextPayout = lazyComponent(async () => (await import('./NextPayout.tsx')).NextPayout)
const Agreement = lazyComponent(async () => (await import('./PartnersAgreement.tsx')).PartnersAgreement)
const InvoiceDetails = lazyComponent(async () => (await import('./InvoiceDetails.tsx')).InvoiceDetails, { late: true })
const TaxForm = lazyComponent(async () => (await import('./OwnTaxForm.tsx')).OwnTaxForm, { late: true })
const People = lazyComponent(async () => (await import('./PartnersPeople.tsx')).PartnersPeople)

/** The partner's bank details, tax form, the blockers of their payouts, and the partner's people. */
export function PartnerSettings() {
  const { partnerId } = usePartnerRole()
  const may = usePermission()(getPayoutSettings)
  const { data } = useQuery({ ...payoutSettingsQuery(partnerId), enabled: may })
  const people = (
    <>
      {may && <TaxForm partnerId={partnerId} />}
      {may && <InvoiceDetails partnerId={partnerId} />}
      <People partnerId={partnerId} />
      <Agreement partnerId={partnerId} />
    </>
  )
  return (
    <Page heading={pageWords.settings} badge={<ProgramName />}>
      {may && <HowItWorks of="partner-settings" unused={data?.depositInfo === null} />}
      <TwoColumns form aside={<NextPayout partnerId={partnerId} />}>
        {may ? <Deposit key={partnerId} partnerId={partnerId} below={people} /> : people}
      </TwoColumns>
    </Page>
  )
}
