import { plainText } from './values.ts'

/** Schemes under which Peppol knows a participant: the EU's list of electronic addresses, without e-mail. */
const SCHEMES = new Set(
  `0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191 0192
  0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218 0221 0225
  0230 0235 0240 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935
  9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959`.split(/\s+/),
)

const digitsOf = (value: string) => Array.from(value, Number)

/** The sum of digits from the right, each multiplied by the weight of its place. */
const weighted = (value: string, weightAt: (fromRight: number) => number) =>
  digitsOf(value)
    .toReversed()
    .reduce((sum, digit, place) => sum + digit * weightAt(place), 0)

const isLuhn = (value: string) =>
  digitsOf(value)
    .toReversed()
    .map((digit, place) => (place % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)))
    .reduce((sum, digit) => sum + digit, 0) %
    10 ===
  0

/** The lengths and check digits of numbers, by the scheme that registers them. */
const FORMATS: Record<string, (value: string) => boolean> = {
  '0002': (value) => /^\d{9}(\d{5})?$/.test(value),
  '0007': (value) => /^\d{10}$/.test(value) && isLuhn(value),
  '0088': (value) => /^\d{13}$/.test(value) && weighted(value, (place) => (place % 2 === 0 ? 1 : 3)) % 10 === 0,
  '0106': (value) => /^\d{8}$/.test(value),
  '0151': (value) =>
    /^\d{11}$/.test(value) &&
    (weighted(value.slice(1), (place) => 19 - 2 * place) + (Number(value[0]) - 1) * 10) % 89 === 0,
  '0184': (value) => /^(DK)?\d{8}$/.test(value),
  '0192': (value) =>
    /^\d{9}$/.test(value) &&
    value !== '000000000' &&
    weighted(value, (place) => (place === 0 ? 1 : ((place - 1) % 6) + 2)) % 11 === 0,
  '0208': (value) => /^\d{10}$/.test(value) && 97 - (Number(value.slice(0, 8)) % 97) === Number(value.slice(8)),
  '0225': (value) => /^\d{9}/.test(value),
}

/** Whether a value has the format of its scheme; those of other schemes are not known here. */
export const isOfScheme = (scheme: string, value: string) => FORMATS[scheme]?.(value) ?? true

/** A Peppol ID as entered: spaces are removed. */
export const EnteredPeppolId = plainText(60)
  .transform((value) => value.replaceAll(/\s/g, ''))
  .refine((value) => /^\d{4}:[A-Za-z0-9._~-]{1,50}$/.test(value), 'Enter it as 0208:0123456749')
  .refine((value) => SCHEMES.has(value.slice(0, 4)), 'This isn’t a scheme of Peppol')
  .refine((value) => isOfScheme(value.slice(0, 4), value.slice(5)), 'This isn’t a number of its scheme')
