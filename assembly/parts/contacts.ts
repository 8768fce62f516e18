// Loops over contacts of free bodies.
export {
  applyContacts,
  measureContacts,
  prepareContacts,
  shiftContacts,
  sweepContacts,
} from '../contacts/body-contacts';
export { staticEnd } from '../static-end';
