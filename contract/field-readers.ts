import type { z } from 'zod'

/**
 * The reader of an answer: an owner, the partner, a partner above them, an administrator; or a program reading for an
 * owner or an administrator (`key`), which reads all they do except what would let it do more: keys, sign-in links.
 * Finance reads like a program, a viewer also without bank details, a manager like a viewer and what they may change.
 * Members of a partner (`partner-member`) read what its owners do except where the money goes; a portal session reads
 * what they do except the partner's e-mail, which the user of the embedding application may not own.
 */
export type Reader =
  | 'owner'
  | 'manager'
  | 'viewer'
  | 'partner'
  | 'partner-member'
  | 'portal'
  | 'ancestor'
  | 'admin'
  | 'key'

/** The readers of each field. If the object is itself a partner (`self`), people of any other read it as an ancestor. */
export type Readers = { fields: Record<string, readonly Reader[]>; self: string | undefined }

/**
 * Declares the readers of each field of an object; a field without a line does not compile. A field hidden from a reader
 * is left out if optional, else null, else empty. A reader named in no line never gets the object.
 */
export const readableBy = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  fields: { [Field in keyof Shape]: readonly Reader[] },
  self?: keyof Shape & string,
): [schema: z.ZodType, readers: Readers] => [schema, { fields, self }]

export const ownerAlone = ['owner'] as const
export const adminAlone = ['admin'] as const
export const owner = ['owner', 'manager', 'viewer', 'key'] as const
export const ownerAndManager = ['owner', 'manager'] as const
export const ownerAndAdmin = ['owner', 'manager', 'viewer', 'admin', 'key'] as const
export const ownersAndAdmins = ['owner', 'admin'] as const
export const partnerAlone = ['partner'] as const
export const ownerAndPartner = ['owner', 'manager', 'viewer', 'partner', 'partner-member', 'portal', 'key'] as const
/** The readers of bank details and tax forms. */
export const ownerAndPartnersOwner = ['owner', 'partner', 'key'] as const
/** The owners of the account and of the partner, in person. */
export const ownersAlone = ['owner', 'partner'] as const
/** Whether this reader of an account gets the digits of its partners' bank accounts. */
export const readsBankDetails = (reader: Reader | null) =>
  (ownerAndPartnersOwner as readonly (Reader | null)[]).includes(reader)

/** The readers of a partner's people. */
export const ownerManagerAndPartner = ['owner', 'manager', 'partner', 'partner-member'] as const
export const ownerAndAncestor = ['owner', 'manager', 'viewer', 'ancestor', 'key'] as const
export const ancestorAndPortal = [...ownerAndAncestor, 'portal'] as const
export const ownerAndPartnersPeople = ['owner', 'manager', 'viewer', 'partner', 'partner-member', 'key'] as const
export const peopleInLine = ['owner', 'manager', 'viewer', 'partner', 'partner-member', 'ancestor', 'key'] as const
export const everyoneInLine = [...peopleInLine, 'portal'] as const
