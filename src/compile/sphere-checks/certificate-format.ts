/** Intervals that a compiled check has room for in a certificate. */
export const CERTIFICATE_INTERVALS = 4096;
