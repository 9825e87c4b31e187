/** What API keys are for, in the field WWW-Authenticate (RFC 9110, section 11.5). */
export const REALM = 'petstore';
