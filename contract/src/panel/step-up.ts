/** Step-up: some operations require that the person in the panel has confirmed their identity recently. */

/** How long a confirmation counts as recent, in seconds. */
export const freshLifetime = 600;

/** The code of the refusal; the panel then asks the person to confirm and retries. */
export const confirmCode = 'confirm_identity';
