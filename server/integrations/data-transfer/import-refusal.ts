/** Why a file is not imported, in words for the operator. Nothing has been changed. */
export class ImportRefusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ImportRefusal'
  }
}
