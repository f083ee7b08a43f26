import { getConnectUrl } from '#contract/payment-providers.ts'
import { useCall } from '../../calls.ts'

/** Sends the owner to the provider's site to allow the connection; the provider redirects back. */
export const useConsent = () => useCall(getConnectUrl, { onSuccess: ({ url }) => location.assign(url) })
