import { isOfScheme } from '#contract/party-ids.ts'
import { listTerritory } from './vat-ids.ts'

/** How a country registers its companies. */
type Register = {
  /** The scheme of the number itself. */
  scheme: string
  /** The scheme under which Peppol knows a company by its number; null if by its VAT ID. */
  peppol: string | null
  /** The number in a VAT ID of the country, if it is in there. */
  fromVatId: RegExp | null
}

/** The registers whose numbers documents name with their scheme, by country. */
const REGISTERS: Record<string, Register> = {
  BE: { scheme: '0208', peppol: '0208', fromVatId: /^BE(\d{10})$/ },
  DK: { scheme: '0184', peppol: '0184', fromVatId: /^DK(\d{8})$/ },
  FR: { scheme: '0002', peppol: '0225', fromVatId: /^FR..(\d{9})$/ },
  NL: { scheme: '0106', peppol: null, fromVatId: null },
  NO: { scheme: '0192', peppol: '0192', fromVatId: /^NO(\d{9})MVA$/ },
  SE: { scheme: '0007', peppol: '0007', fromVatId: /^SE(\d{10})01$/ },
}

/** The schemes under which Peppol knows companies by their VAT IDs, by prefix. */
const BY_VAT_ID: Record<string, string> = {
  AT: '9914',
  BG: '9926',
  CH: '9927',
  CY: '9928',
  CZ: '9929',
  DE: '9930',
  EE: '9931',
  EL: '9933',
  ES: '9920',
  FI: '0213',
  GB: '9932',
  HR: '9934',
  HU: '9910',
  IE: '9935',
  IT: '0211',
  LT: '9937',
  LU: '9938',
  LV: '9939',
  MT: '9943',
  NL: '9944',
  PL: '9945',
  PT: '9946',
  RO: '9947',
  SI: '9949',
  SK: '9950',
}

const registerIn = (country: string | null): Register | undefined =>
  country === null ? undefined : REGISTERS[listTerritory(country)[0]]

/** The scheme of a country’s company numbers; null where documents name none. */
export const schemeOfCompany = (country: string): string | null => registerIn(country)?.scheme ?? null

/** A company number as it is stored: only its digits, where the country’s numbers are digits. */
export function toCompanyNumber(value: string | null, country: string | null): string | null {
  if (value === null || !registerIn(country)) return value
  return value.replaceAll(/[\s.-]/g, '').replace(/^(BE|DK|NO)(?=\d)/i, '')
}

/** Whether it may be a company number of this country. */
export function isCompanyNumberIn(value: string, country: string | null): boolean {
  const scheme = registerIn(country)?.scheme
  return scheme === undefined || (/^\d+$/.test(value) && isOfScheme(scheme, value))
}

type Identified = { country: string; vatId: string | null; companyNumber: string | null; peppolId: string | null }

/** Returns a party with the company number and the Peppol ID that follow from what it entered. */
export function identifyParty<P extends Omit<Identified, 'companyNumber' | 'peppolId'> & Partial<Identified>>(
  party: P,
): P & Identified {
  const companyNumber = party.companyNumber ?? companyNumberOf(party)
  return { ...party, companyNumber, peppolId: party.peppolId ?? peppolIdOf({ ...party, companyNumber }) }
}

function companyNumberOf({ country, vatId }: Pick<Identified, 'country' | 'vatId'>): string | null {
  const number = registerIn(country)?.fromVatId?.exec(vatId ?? '')?.[1]
  return number && isCompanyNumberIn(number, country) ? number : null
}

function peppolIdOf({ country, vatId, companyNumber }: Omit<Identified, 'peppolId'>): string | null {
  const { peppol } = registerIn(country) ?? { peppol: null }
  // a French establishment is known by its company
  if (peppol !== null)
    return companyNumber && `${peppol}:${peppol === '0225' ? companyNumber.slice(0, 9) : companyNumber}`
  const scheme = vatId && BY_VAT_ID[vatId.slice(0, 2)]
  return scheme ? `${scheme}:${vatId}` : null
}
