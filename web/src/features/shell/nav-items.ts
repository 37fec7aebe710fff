import {
  BookOpen,
  BriefcaseBusiness,
  CalendarDays,
  ChartNoAxesColumn,
  CircleAlert,
  Inbox,
  type LucideIcon,
  Settings,
  Users,
} from "lucide-react";
import type { Member } from "../../session/session.js";

/** `also`: pages that belong to the item, and whose addresses begin otherwise. */
const NAV_ITEMS: { to: string; name: NavItemName; icon: LucideIcon; also?: string }[] = [
  { to: "/inbox", name: "inbox", icon: Inbox },
  { to: "/attention", name: "attention", icon: CircleAlert, also: "/approvals" },
  { to: "/contacts", name: "contacts", icon: Users, also: "/accounts" },
  { to: "/cases", name: "cases", icon: BriefcaseBusiness },
  { to: "/calendar", name: "calendar", icon: CalendarDays },
  { to: "/knowledge", name: "knowledge", icon: BookOpen, also: "/policies" },
  { to: "/quality", name: "quality", icon: ChartNoAxesColumn, also: "/reports" },
  { to: "/settings", name: "settings", icon: Settings },
];
type NavItemName = "inbox" | "attention" | "contacts" | "cases" | "calendar" | "knowledge" | "quality" | "settings";

/** The items of the navigation. Members for billing read consumption and their own profile. */
export const navItemsOf = ({ role }: Member): typeof NAV_ITEMS =>
  role === "billing" ? NAV_ITEMS.filter(({ name }) => name === "settings") : NAV_ITEMS;
