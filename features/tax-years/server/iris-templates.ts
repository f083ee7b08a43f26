/** Contents of a column; columns without any are left empty. */
export type IrisField =
  | 'form'
  | 'year'
  | 'payerTinType'
  | 'payerTin'
  | 'payerNameType'
  | 'payerName'
  | 'payerCountry'
  | 'payerAddress'
  | 'payerCity'
  | 'payerState'
  | 'payerZip'
  | 'payerPhoneType'
  | 'payerPhone'
  | 'tinType'
  | 'tin'
  | 'nameType'
  | 'businessName'
  | 'businessName2'
  | 'firstName'
  | 'middleName'
  | 'lastName'
  | 'suffix'
  | 'country'
  | 'address'
  | 'city'
  | 'state'
  | 'zip'
  | 'secondNotice'
  | 'compensation'
  | 'directSales'

export type IrisTemplate = readonly (readonly [header: string, field?: IrisField])[]

// The IRS hands its templates out behind the sign-in of the IRIS Taxpayer Portal alone, and changes them with the form:
// box 3 came back in 2025, and box 1 was divided in 2026. These columns are as four independent programs write them that
// were made for this template, in the same words and order; files hold at most 100 returns (Publication 5717).
const OF_2024: IrisTemplate = [
  ['Form Type', 'form'],
  ['Tax Year', 'year'],
  ['Payer TIN Type', 'payerTinType'],
  ['Payer Taxpayer ID Number', 'payerTin'],
  ['Payer Name Type', 'payerNameType'],
  ['Payer Business or Entity Name Line 1', 'payerName'],
  ['Payer Business or Entity Name Line 2'],
  ['Payer First Name'],
  ['Payer Middle Name'],
  ['Payer Last Name (Surname)'],
  ['Payer Suffix'],
  ['Payer Country', 'payerCountry'],
  ['Payer Address Line 1', 'payerAddress'],
  ['Payer Address Line 2'],
  ['Payer City/Town', 'payerCity'],
  ['Payer State/Province/Territory', 'payerState'],
  ['Payer ZIP/Postal Code', 'payerZip'],
  ['Payer Phone Type', 'payerPhoneType'],
  ['Payer Phone', 'payerPhone'],
  ['Payer Email Address'],
  ['Recipient TIN Type', 'tinType'],
  ['Recipient Taxpayer ID Number', 'tin'],
  ['Recipient Name Type', 'nameType'],
  ['Recipient Business or Entity Name Line 1', 'businessName'],
  ['Recipient Business or Entity Name Line 2', 'businessName2'],
  ['Recipient First Name', 'firstName'],
  ['Recipient Middle Name', 'middleName'],
  ['Recipient Last Name (Surname)', 'lastName'],
  ['Recipient Suffix', 'suffix'],
  ['Recipient Country', 'country'],
  ['Recipient Address Line 1', 'address'],
  ['Recipient Address Line 2'],
  ['Recipient City/Town', 'city'],
  ['Recipient State/Province/Territory', 'state'],
  ['Recipient ZIP/Postal Code', 'zip'],
  ['Office Code'],
  ['Form Account Number'],
  ['2nd TIN Notice', 'secondNotice'],
  ['Box 1 - Nonemployee Compensation', 'compensation'],
  [
    'Box 2 - Payer made direct sales totaling $5000 or more of consumer products to a recipient for resale',
    'directSales',
  ],
  ['Box 4 - Federal income tax withheld'],
  ['Combined Federal/State Filing'],
  ...['State 1', 'State 2'].flatMap(
    (state): IrisTemplate => [
      [state],
      [`${state} - State Tax Withheld`],
      [`${state} - State/Payer state number`],
      [`${state} - State income`],
      [`${state} - Local income tax withheld`],
      [`${state} - Special Data Entries`],
    ],
  ),
]

/** The IRS's template of a 1099-NEC by tax year. A year gets a line once its template has been seen. */
export const irisTemplates: Readonly<Record<number, IrisTemplate>> = { 2024: OF_2024 }
