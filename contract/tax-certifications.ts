// Certifications of partners, in the words of the forms of the IRS: part II of the W-9 (Rev. March 2024) and part III of the
// W-8BEN (Rev. October 2021), without claims of treaty benefits.

const W9 = `Under penalties of perjury, I certify that:
1. The number shown on this form is my correct taxpayer identification number (or I am waiting for a number to be issued to me); and
2. I am not subject to backup withholding because (a) I am exempt from backup withholding, or (b) I have not been notified by the Internal Revenue Service (IRS) that I am subject to backup withholding as a result of a failure to report all interest or dividends, or (c) the IRS has notified me that I am no longer subject to backup withholding; and
3. I am a U.S. citizen or other U.S. person; and
4. The FATCA code(s) entered on this form (if any) indicating that I am exempt from FATCA reporting is correct.`

const W8_BEN = `Under penalties of perjury, I declare that I have examined the information on this form and to the best of my knowledge and belief it is true, correct, and complete. I further certify under penalties of perjury that:
- I am the individual that is the beneficial owner (or am authorized to sign for the individual that is the beneficial owner) of all the income or proceeds to which this form relates or am using this form to document myself for chapter 4 purposes;
- The person named on this form is not a U.S. person;
- This form relates to income not effectively connected with the conduct of a trade or business in the United States; and
- For broker transactions or barter exchanges, the beneficial owner is an exempt foreign person as defined in the instructions.
Furthermore, I authorize this form to be provided to any withholding agent that has control, receipt, or custody of the income of which I am the beneficial owner or any withholding agent that can disburse or make payments of the income of which I am the beneficial owner. I agree that I will submit a new form within 30 days if any certification made on this form becomes incorrect.`

export const certifications = { 'w-9': W9, 'w-8ben': W8_BEN } as const
