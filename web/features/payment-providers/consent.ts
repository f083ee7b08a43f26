import { getConnectUrl } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'

/** Leads the owner to the provider's own page, where they allow the connection; the provider leads them back. */
export const useConsent = () => useCall(getConnectUrl, { onSuccess: ({ url }) => location.assign(url) })
