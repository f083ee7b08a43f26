import type { LinkTest, TestedLink } from '#contract/links.ts'
import { OutboundError } from '../../platform/http/outbound.ts'
import { wrongField } from '../../platform/refusal.ts'
import type { Services } from '../../platform/services.ts'
import { directLink } from '../clicks/destination.ts'
import { domainOfDestination } from './destination-rule.ts'

const SAMPLE_CODE = 'sample-partner'

/**
 * Requests a destination once, like a visitor of a link: reports whether it responds, and whether the code survives its
 * redirects. Refuses: `validation_failed` for an address that is no destination or must not be requested.
 */
export async function testLink(
  services: Services,
  { destinationUrl, parameterName = 'ref' }: TestedLink,
): Promise<LinkTest> {
  domainOfDestination(destinationUrl, services.config)
  const address = directLink(destinationUrl, parameterName, SAMPLE_CODE)
  try {
    const { status, headers } = await services.outbound.userGiven(address, { headers: { accept: 'text/html,*/*' } })
    const redirect = status >= 300 && status < 400 && headers.location ? URL.parse(headers.location, address) : null
    const parameterKept = redirect
      ? redirect.searchParams.get(parameterName) === SAMPLE_CODE
      : status >= 200 && status < 300
        ? true
        : null
    return { reachable: true, status, redirectsTo: redirect?.href ?? null, parameterKept }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'refused-address')
      throw wrongField('destinationUrl', 'value_refused', { problem: error.message })
    return { reachable: false, status: null, redirectsTo: null, parameterKept: null }
  }
}
