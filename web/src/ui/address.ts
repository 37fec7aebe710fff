const ADDRESS = /^[^\s@<>"(),:;\\]+@[^\s@<>"(),:;\\]+\.[^\s@<>"(),:;\\]+$/;

/** Whether it can be the address of a mailbox. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);
